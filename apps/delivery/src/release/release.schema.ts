import { type LinkType, mostLinks, mostReleaseMilestones } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** A link of a release to a file elsewhere. */
export interface Link {
  id: number;
  name: string;
  url: string;
  /** Path below the downloads of the release, with a leading slash. */
  filepath: string | null;
  linkType: LinkType;
}

/** State of a release at one time. */
export interface Evidence {
  /** Starting from 1 in each release. */
  id: number;
  sha256: string;
  collectedAt: Date;
}

/** A release of a tag. Its links are embedded. */
export interface Release extends Outboxed {
  _id: number;
  projectId: number;
  tagName: string;
  /** Null for the name of the tag. */
  name: string | null;
  description: string | null;
  authorId: number;
  milestoneIds: number[];
  links: Link[];
  evidences: Evidence[];
  releasedAt: Date;
  createdAt: Date;
}

/** Limit for one release. */
export const mostEvidences = 100;

export const releaseSchema = new Schema<Release>(
  {
    _id: Number,
    projectId: Number,
    tagName: String,
    name: { type: String, default: null },
    description: { type: String, default: null },
    authorId: Number,
    milestoneIds: { type: [Number], default: [], most: mostReleaseMilestones },
    links: { type: [Object], default: [], most: mostLinks },
    evidences: { type: [Object], default: [], most: mostEvidences },
    releasedAt: Date,
    createdAt: Date,
  },
  { versionKey: false, collection: 'releases' },
);
// The release of a tag, and for the deletion of a project.
releaseSchema.index({ projectId: 1, tagName: 1 }, { unique: true });
// Lists of projects and groups, in both orders.
releaseSchema.index({ projectId: 1, releasedAt: -1, _id: -1 });
releaseSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
// For the removal of a deleted user.
releaseSchema.index({ authorId: 1 });
releaseSchema.plugin(outboxed);
