import { Schema } from 'mongoose';

/** The first bytes that a receiver answered, as text. They may be hostile. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The first bytes. */
  body: string;
}

/** A delivery to one subscriber. Those of a queue are sent by ascending `_id`. */
export interface Delivery {
  _id: number;
  /** Its queue: kind and id of the subscriber, as `hook-5`. */
  line: string;
  /** Idempotency key within the queue: an event that arrives twice is delivered once. */
  key: string;
  /** As `push_hooks`, shown to people. */
  trigger: string;
  /** SHA-256 of the payload, which is stored once for all deliveries that share it. */
  payloadId: string;
  /**
   * `waiting`, then `sent`, `refused` by its receiver, `dead` (given up) or `dropped` (its subscriber was deleted). Tests and
   * resends are `tried`: they are sent immediately and out of order.
   */
  state: 'waiting' | 'tried' | 'sent' | 'refused' | 'dead' | 'dropped';
  attempts: number;
  /** Of the latest attempt. */
  shownUrl: string | null;
  requestHeaders: Record<string, string> | null;
  answer: Answer | null;
  error: string | null;
  durationSeconds: number | null;
  attemptedAt: Date | null;
  createdAt: Date;
}

/** With its payload. */
export interface FullDelivery extends Delivery {
  payload: string;
}

/** Payloads by their SHA-256. */
export interface DeliveryPayload {
  _id: string;
  text: string;
  usedAt: Date;
}

const day = 24 * 60 * 60;

export const deliverySchema = new Schema<Delivery>(
  {
    _id: Number,
    line: String,
    key: String,
    trigger: String,
    payloadId: String,
    state: { type: String, default: 'waiting' },
    attempts: { type: Number, default: 0 },
    shownUrl: { type: String, default: null },
    requestHeaders: { type: Schema.Types.Mixed, default: null },
    answer: { type: Schema.Types.Mixed, default: null },
    error: { type: String, default: null },
    durationSeconds: { type: Number, default: null },
    attemptedAt: { type: Date, default: null },
    createdAt: Date,
  },
  { versionKey: false, collection: 'deliveries' },
);
// An event is delivered once.
deliverySchema.index({ line: 1, key: 1 }, { unique: true });
// The next delivery of a queue.
deliverySchema.index({ line: 1, state: 1, _id: 1 });
// Deliveries of a hook, latest first.
deliverySchema.index({ line: 1, _id: -1 });
deliverySchema.index({ createdAt: 1 }, { expires: 7 * day });

export const deliveryPayloadSchema = new Schema<DeliveryPayload>(
  { _id: String, text: String, usedAt: Date },
  { versionKey: false, collection: 'delivery_payloads' },
);
// One day longer than deliveries.
deliveryPayloadSchema.index({ usedAt: 1 }, { expires: 8 * day });
