import { Schema } from 'mongoose';

/** One day: every page of an import that was requested before the deletion is written or lost by then. */
const keptForSeconds = 24 * 60 * 60;

/** Marks a deleted group, written before its records are removed: a later write into it is reverted. */
export interface DeletedGroupDocument {
  _id: number;
  deletedAt: Date;
}

export const deletedGroupSchema = new Schema<DeletedGroupDocument>(
  { _id: { type: Number, required: true }, deletedAt: { type: Date, required: true } },
  { collection: 'deleted_groups', timestamps: false },
);
deletedGroupSchema.index({ deletedAt: 1 }, { expireAfterSeconds: keptForSeconds });
