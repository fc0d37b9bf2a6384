import { type LinkType, mostLinks, mostReleaseMilestones } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** What belongs to a release and lies elsewhere. */
export interface Link {
  id: number;
  name: string;
  url: string;
  /** Below the downloads of the release, with a slash before it. */
  filepath: string | null;
  linkType: LinkType;
}

/** What a release was at some time. */
export interface Evidence {
  /** From 1 on in its release. */
  id: number;
  sha256: string;
  collectedAt: Date;
}

/** What a project says of a tag: this is a version. Its links are in it, so that they come and go with it. */
export interface Release extends Outboxed {
  _id: number;
  projectId: number;
  tagName: string;
  /** Null where it is that of the tag. */
  name: string | null;
  description: string | null;
  authorId: number;
  milestoneIds: number[];
  links: Link[];
  evidences: Evidence[];
  releasedAt: Date;
  createdAt: Date;
}

/** Of one release. */
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
// The release of a tag, and the end of a project.
releaseSchema.index({ projectId: 1, tagName: 1 }, { unique: true });
// Lists of projects and groups, in both orders.
releaseSchema.index({ projectId: 1, releasedAt: -1, _id: -1 });
releaseSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
// The end of a user.
releaseSchema.index({ authorId: 1 });
releaseSchema.plugin(outboxed);
