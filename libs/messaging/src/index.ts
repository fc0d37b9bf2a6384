export { connectNats } from './connection';
export { EventConsumer, EventPublisher, ensureEventStream, listen } from './events';
export { Handles, HandlesEach } from './handles';
export { MessagingModule, natsConnection } from './messaging.module';
export { OnEvent } from './on-event';
export { OperationClient } from './operation-client';
export { OperationErrorFilter } from './operation-error.filter';
export { OperationServer, type OperationServerOptions } from './operation-server';
export type { DecodedReply, ReplyMeta } from './wire';
