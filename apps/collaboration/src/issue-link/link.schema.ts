import type { IssueLinkType } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A link between two records of the same kind: issues, or epics. */
export interface LinkDocument {
  _id: number;
  /** For a blocking link, the record that blocks. */
  sourceId: number;
  targetId: number;
  /** Both ids, lower one first: two records are linked at most once, in either direction. */
  ends: string;
  type: 'relates_to' | 'blocks';
  createdAt: Date;
  updatedAt: Date;
}

type Ends = Pick<LinkDocument, 'sourceId' | 'targetId'>;

export const endsOf = ({ sourceId, targetId }: Ends): string =>
  `${Math.min(sourceId, targetId)}/${Math.max(sourceId, targetId)}`;

export const otherEnd = ({ sourceId, targetId }: Ends, id: number): number => (sourceId === id ? targetId : sourceId);

const typeSeenFrom = ({ sourceId, type }: LinkDocument, id: number): IssueLinkType =>
  type === 'blocks' && sourceId !== id ? 'is_blocked_by' : type;

/** Fields that a list of links adds to the linked record. */
export const linkFields = (link: LinkDocument, id: number) => ({
  link_type: typeSeenFrom(link, id),
  link_created_at: link.createdAt.toISOString(),
  link_updated_at: link.updatedAt.toISOString(),
});

/** Source and target of a link, from the relation that a request names. */
export function directed(
  id: number,
  otherId: number,
  as: IssueLinkType,
): Pick<LinkDocument, 'sourceId' | 'targetId' | 'type'> {
  const [sourceId, targetId] = as === 'is_blocked_by' ? [otherId, id] : [id, otherId];
  return { sourceId, targetId, type: as === 'relates_to' ? 'relates_to' : 'blocks' };
}

export const issueLinkSchema = schemaIn('issue_links');
export const epicLinkSchema = schemaIn('epic_links');

function schemaIn(collection: string): Schema<LinkDocument> {
  const schema = new Schema<LinkDocument>(
    {
      _id: { type: Number, required: true },
      sourceId: { type: Number, required: true },
      targetId: { type: Number, required: true },
      ends: { type: String, required: true },
      type: { type: String, required: true },
      createdAt: Date,
      updatedAt: Date,
    },
    { collection, timestamps: false },
  );
  schema.index({ ends: 1 }, { unique: true });
  // Links of a record as either end; also how many records each of a list blocks.
  schema.index({ sourceId: 1, type: 1 });
  schema.index({ targetId: 1 });
  return schema;
}
