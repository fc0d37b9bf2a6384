import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { mostDays } from './iteration-days';

/** A range of days in a cadence of a group. See docs/api/iterations.md#1. */
export interface IterationDocument extends Outboxed {
  _id: number;
  groupId: number;
  cadenceId: number;
  /** Number within its group. */
  iid: number;
  title: string | null;
  description: string | null;
  /** Date as YYYY-MM-DD. */
  startDate: string;
  dueDate: string;
  /** Each of its days as a number. A unique index guarantees that iterations of a cadence do not overlap. */
  days: number[];
  createdAt: Date;
  updatedAt: Date;
}

export const iterationSchema = new Schema<IterationDocument>(
  {
    _id: { type: Number, required: true },
    groupId: { type: Number, required: true },
    cadenceId: { type: Number, required: true },
    iid: { type: Number, required: true },
    title: { type: String, default: null },
    description: { type: String, default: null },
    startDate: { type: String, required: true },
    dueDate: { type: String, required: true },
    days: { type: [Number], required: true, most: mostDays },
  },
  { collection: 'iterations', timestamps: true },
);
// One iteration of a cadence for each day, also with concurrent requests.
iterationSchema.index({ cadenceId: 1, days: 1 }, { unique: true });
// Lists by group.
iterationSchema.index({ groupId: 1, startDate: 1, _id: 1 });
// One iteration by its number.
iterationSchema.index({ groupId: 1, iid: 1 });
// Sequence numbers in a cadence.
iterationSchema.index({ cadenceId: 1, startDate: 1 });
// Iterations by title in all groups, for filters across projects.
iterationSchema.index({ title: 1 });
iterationSchema.plugin(outboxed);

/** A series of iterations. See docs/api/iterations.md#3. */
export interface CadenceDocument {
  _id: number;
  groupId: number;
  title: string;
  description: string | null;
  active: boolean;
  startDate: string | null;
  durationInWeeks: number | null;
  /** Set if it was created with the first iteration of its group. */
  isFirst?: true;
  createdAt: Date;
  updatedAt: Date;
}

export const cadenceSchema = new Schema<CadenceDocument>(
  {
    _id: { type: Number, required: true },
    groupId: { type: Number, required: true },
    title: { type: String, required: true },
    description: { type: String, default: null },
    active: { type: Boolean, default: true },
    startDate: { type: String, default: null },
    durationInWeeks: { type: Number, default: null },
    isFirst: { type: Boolean, default: undefined },
  },
  { collection: 'iteration_cadences', timestamps: true },
);
// Cadences of a group, oldest first.
cadenceSchema.index({ groupId: 1, _id: 1 });
// Two concurrent requests for a group's first iteration create one cadence.
cadenceSchema.index({ groupId: 1, isFirst: 1 }, { unique: true, partialFilterExpression: { isFirst: true } });
