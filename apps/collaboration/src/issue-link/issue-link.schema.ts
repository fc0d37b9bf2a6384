import { Schema } from 'mongoose';

export interface IssueLinkDocument {
  _id: number;
  /** Of a link that blocks, the issue that blocks. */
  sourceId: number;
  targetId: number;
  /** Both, lower id first: two issues are linked once, in whichever direction. */
  ends: string;
  type: 'relates_to' | 'blocks';
  createdAt: Date;
  updatedAt: Date;
}

export const endsOf = ({ sourceId, targetId }: Pick<IssueLinkDocument, 'sourceId' | 'targetId'>): string =>
  `${Math.min(sourceId, targetId)}/${Math.max(sourceId, targetId)}`;

export const issueLinkSchema = new Schema<IssueLinkDocument>(
  {
    _id: { type: Number, required: true },
    sourceId: { type: Number, required: true },
    targetId: { type: Number, required: true },
    ends: { type: String, required: true },
    type: { type: String, required: true },
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'issue_links', timestamps: false },
);
issueLinkSchema.index({ ends: 1 }, { unique: true });
// Links of an issue, from either end; also how many each of a list blocks.
issueLinkSchema.index({ sourceId: 1, type: 1 });
issueLinkSchema.index({ targetId: 1 });
