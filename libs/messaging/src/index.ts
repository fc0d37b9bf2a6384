export { AbandonedRequests, publishAbandoned } from './abandoned-requests';
export { connectNats, type NatsSecurity } from './connection';
export { type DeadLetter, DeadLetters } from './events/dead-letters';
export { EventConsumer } from './events/event-consumer';
export { EventPublisher } from './events/event-publisher';
export { deadLetterStream, type EventStreamOptions, ensureEventStream, eventStream } from './events/event-stream';
export { emptyEventCaches, listen } from './events/listen';
export { type Position, type UnfollowedEvent, UnprocessedEvents } from './events/unprocessed-events';
export { type Handler, Handles, HandlesEach } from './handles';
export { KnownAppearance, KnownPlanLimits, KnownSettings } from './instance';
export {
  discardLargeMessage,
  type LargeMessage,
  openLargeMessage,
  readLargeMessage,
} from './large-message/large-message';
export { LargeMessageStore } from './large-message/large-message-store';
export { MessagingModule, natsConnection } from './messaging.module';
export { EventFollower, OnEvent, OnEventsInOrder } from './on-event';
export { OperationClient } from './operation-client';
export { OperationErrorFilter } from './operation-error.filter';
export { OperationServer, type OperationServerOptions } from './operation-server';
export { RecordsClient } from './records-client';
export { removeIfDeleted } from './remove-if-deleted';
export {
  eventSettings,
  natsSettings,
  securityOf,
  servesCopies,
  signedUrlSettings,
  siteSettings,
  uploadSettings,
} from './settings';
export { networkOf, shareOf, shareOfClient } from './share-of';
export type { DecodedReply, ReplyMeta } from './wire';
