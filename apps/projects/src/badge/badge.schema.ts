import { Schema } from 'mongoose';
import type { SourceKey } from '../member/source';

export interface BadgeDocument {
  _id: number;
  source: SourceKey;
  name: string | null;
  /** With placeholders, as written. */
  linkUrl: string;
  imageUrl: string;
  createdAt: Date;
  updatedAt: Date;
}

export const badgeSchema = new Schema<BadgeDocument>(
  {
    _id: { type: Number, required: true },
    source: { type: String, required: true },
    name: { type: String, default: null },
    linkUrl: { type: String, required: true },
    imageUrl: { type: String, required: true },
  },
  { collection: 'badges', timestamps: true },
);
// Badges of a project or group in order of creation, which is the order of ids.
badgeSchema.index({ source: 1, _id: 1 });
