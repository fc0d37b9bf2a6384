import { Schema } from 'mongoose';

export type LabelEventResource = 'Issue' | 'MergeRequest' | 'Epic';

/** A label was put on something or taken off. See docs/api/labels.md#3. */
export interface LabelEventDocument {
  _id: number;
  resourceType: LabelEventResource;
  resourceId: number;
  userId: number;
  /** Shown as null once the label is deleted. */
  labelId: number;
  action: 'add' | 'remove';
  createdAt: Date;
}

export const labelEvents = 'label_events';

export const labelEventSchema = new Schema<LabelEventDocument>(
  {
    _id: { type: Number, required: true },
    resourceType: { type: String, required: true },
    resourceId: { type: Number, required: true },
    userId: { type: Number, required: true },
    labelId: { type: Number, required: true },
    action: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: labelEvents, timestamps: false },
);
// Lists in the order of time; also the events of what is deleted.
labelEventSchema.index({ resourceType: 1, resourceId: 1, createdAt: 1, _id: 1 });
// A promoted label takes over the events of those it absorbs.
labelEventSchema.index({ labelId: 1 });
// What a deleted user leaves.
labelEventSchema.index({ userId: 1 });
