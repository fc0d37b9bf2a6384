import { Schema } from 'mongoose';

/** The deliveries of one subscriber, which go out one after the other, and how its receiver gets on. */
export interface Line {
  /** Kind and id of the subscriber, as `hook-5`. */
  _id: string;
  /** Grows with everything that is added. Who lets go of the line sees by it whether there is more. */
  wanted: number;
  /** The job that works on it; null while there is nothing to do. */
  holder: string | null;
  /** Of the job: where it was taken for lost and begun once more, the one before has nothing to do there any more. */
  run: string | null;
  /** Failed attempts since the last that went well. */
  failures: number;
  failingSince: Date | null;
  /** Nothing is sent before. */
  retryAt: Date | null;
  /** It failed for days: nothing is sent until somebody edits or tests the subscriber with success. */
  isOff: boolean;
}

export interface LineJob {
  line: string;
  /** Who works on the line; a job of another name has nothing to do there. */
  holder: string;
}

/** A job that a process has begun. */
export interface LineRun extends LineJob {
  run: string;
}

export const lineSchema = new Schema<Line>(
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
// Those whose job may have been lost.
lineSchema.index({ holder: 1 }, { partialFilterExpression: { holder: { $type: 'string' } } });
