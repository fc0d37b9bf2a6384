import { Schema } from 'mongoose';

/** What a receiver answered to an attempt, as far as it is kept: hostile bytes, as text. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The first bytes. */
  body: string;
}

/** Something that one subscriber is to be told. Those of a line go out by ascending `_id`. */
export interface Delivery {
  _id: number;
  /** Whose it is: kind and id of the subscriber, as `hook-5`. */
  line: string;
  /** What it is told of: an event is told once in a line, however often it is heard. */
  key: string;
  /** As `push_hooks`, shown to people. */
  trigger: string;
  /** SHA-256 of what the courier makes the errand of, which is kept once for all who are told the same. */
  payloadId: string;
  /**
   * `waiting` until it was sent, refused by its receiver, given up (`dead`) or wanted by nobody any more (`dropped`). One
   * that somebody waits for is `tried` at once and out of order, as tests are.
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

/** With what it tells. */
export interface FullDelivery extends Delivery {
  payload: string;
}

/** What deliveries tell, by its SHA-256. */
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
// An event is told once.
deliverySchema.index({ line: 1, key: 1 }, { unique: true });
// The next of a line.
deliverySchema.index({ line: 1, state: 1, _id: 1 });
// Those of a hook, the latest first.
deliverySchema.index({ line: 1, _id: -1 });
deliverySchema.index({ createdAt: 1 }, { expires: 7 * day });

export const deliveryPayloadSchema = new Schema<DeliveryPayload>(
  { _id: String, text: String, usedAt: Date },
  { versionKey: false, collection: 'delivery_payloads' },
);
// A day after the last delivery that tells it.
deliveryPayloadSchema.index({ usedAt: 1 }, { expires: 8 * day });
