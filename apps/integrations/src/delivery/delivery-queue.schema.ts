import { Schema } from 'mongoose';

/** The deliveries of one subscriber, which are sent in order, and the state of its receiver. */
export interface DeliveryQueue {
  /** Kind and id of the subscriber, as `hook-5`. */
  _id: string;
  /** Incremented with each addition, so that a job that releases the queue notices new deliveries. */
  wanted: number;
  /** The job that owns it; null if it is empty. */
  holder: string | null;
  /** The run of that job. If a lost job is started again, its first run no longer owns the queue. */
  run: string | null;
  /** Failed attempts since the last success. */
  failures: number;
  failingSince: Date | null;
  /** The next attempt is not before this time. */
  retryAt: Date | null;
  /** Switched off after failures for days, until the subscriber is edited or tested successfully. */
  isOff: boolean;
}

export interface DeliveryQueueJob {
  line: string;
  /** The job that owns the queue. */
  holder: string;
}

/** A job that a process has started. */
export interface DeliveryQueueRun extends DeliveryQueueJob {
  run: string;
}

export const deliveryQueueSchema = new Schema<DeliveryQueue>(
  {
    _id: String,
    wanted: { type: Number, default: 0 },
    holder: { type: String, default: null },
    run: { type: String, default: null },
    failures: { type: Number, default: 0 },
    failingSince: { type: Date, default: null },
    retryAt: { type: Date, default: null },
    isOff: { type: Boolean, default: false },
  },
  { versionKey: false, collection: 'lines' },
);
// Queues whose job may have been lost.
deliveryQueueSchema.index({ holder: 1 }, { partialFilterExpression: { holder: { $type: 'string' } } });
