import { Schema } from 'mongoose';

/** A day: a page of an import that was asked for before the deletion is written, or lost, long before. */
const keptForSeconds = 24 * 60 * 60;

/** The mark of a deleted group, written before its records are removed: a later write into it is undone. */
export interface DeletedGroupDocument {
  _id: number;
  deletedAt: Date;
}

export const deletedGroupSchema = new Schema<DeletedGroupDocument>(
  { _id: { type: Number, required: true }, deletedAt: { type: Date, required: true } },
  { collection: 'deleted_groups', timestamps: false },
);
deletedGroupSchema.index({ deletedAt: 1 }, { expireAfterSeconds: keptForSeconds });
