export { AbandonedRequests, announceAbandoned } from './abandoned-requests';
export { connectNats, type NatsSecurity } from './connection';
export { type DeadLetter, DeadLetters } from './events/dead-letters';
export { EventConsumer } from './events/event-consumer';
export { EventPublisher } from './events/event-publisher';
export { deadLetterStream, type EventStreamOptions, ensureEventStream, eventStream } from './events/event-stream';
export { forgetWhatWasHeard, listen } from './events/listen';
export { type Position, type UnfollowedEvent, UnfollowedEvents } from './events/unfollowed-events';
export { type Handler, Handles, HandlesEach } from './handles';
export { KnownAppearance, KnownPlanLimits, KnownSettings } from './instance';
export { MessagingModule, natsConnection } from './messaging.module';
export { EventFollower, OnEvent, OnEventsInOrder } from './on-event';
export { OperationClient } from './operation-client';
export { OperationErrorFilter } from './operation-error.filter';
export { OperationServer, type OperationServerOptions } from './operation-server';
export { discardParcel, openParcel, type Parcel, readParcel } from './parcel/parcel';
export { ParcelStore } from './parcel/parcel-store';
export { RecordsClient } from './records-client';
export { removeIfDeleted } from './remove-if-deleted';
export {
  eventSettings,
  natsSettings,
  securityOf,
  servesCopies,
  siteSettings,
  ticketSettings,
  uploadSettings,
} from './settings';
export { networkOf, shareOf, shareOfClient } from './share-of';
export type { DecodedReply, ReplyMeta } from './wire';
