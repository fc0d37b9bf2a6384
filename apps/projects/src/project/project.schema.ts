import {
  type ContainerExpirationPolicy,
  type FeatureAccess,
  mostTopics,
  type ProjectSettings,
  type Visibility,
} from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type CustomAttribute, mostAttributes } from '../custom-attribute/custom-attributes';
import { mostAbove } from '../namespace/namespace.schema';
import type { Placed } from '../namespace/placing';
import type { ProjectFeature } from './features';

/** Fields that count records elsewhere. @see StoredCounts */
export type CountedField = 'starCount' | 'forksCount' | 'uploadBytes';

/** The mark of a count that must be computed again. */
export interface Recount {
  id: string;
  field: CountedField;
  at: Date;
}

export interface ProjectDocument extends Outboxed, Placed {
  _id: number;
  name: string;
  path: string;
  /** `group/subgroup/project`, as written. */
  fullPath: string;
  /** `fullPath` in lower case. Routes decide who owns it. */
  pathKey: string;
  /** `Group / Subgroup / Project`. */
  nameWithNamespace: string;
  description: string | null;
  namespaceId: number;
  namespaceKind: 'group' | 'user';
  /** Groups above, nearest first; empty in a personal namespace. */
  groupIds: number[];
  /** The user of the personal namespace that it is in. */
  ownerId?: number;
  creatorId: number;
  visibility: Visibility;
  features: Record<ProjectFeature, FeatureAccess>;
  /** With the field names of the API: almost no code in between reads them. */
  settings: ProjectSettings;
  containerExpirationPolicy: ContainerExpirationPolicy;
  /** Next date of the cleanup policy; null while it is disabled. */
  cleanupAt?: Date | null;
  topics: string[];
  /** Custom attributes, visible to administrators only. */
  customAttributes?: CustomAttribute[];
  avatar: { key: string; filename: string; contentType: string } | null;
  storage: string;
  /** Set while a storage move switches over. */
  isReadOnly: boolean;
  isArchived: boolean;
  /** Set by a user, or by the first push. */
  defaultBranch: string | null;
  isEmptyRepo: boolean;
  /** Path of the README in the default branch. */
  readmePath: string | null;
  importStatus: 'none' | 'scheduled' | 'started' | 'finished' | 'failed';
  importError: string | null;
  /** What a successful import left out, and why. */
  importGaps?: { relation: string; message: string }[];
  forkedFromId?: number;
  forksCount: number;
  starCount: number;
  /** The last counts of the collaboration service; absent until there are any. */
  openIssues?: { all: number; confidential: number };
  /** Size of the project's uploads in bytes. */
  uploadBytes: number;
  recounts?: Recount[];
  /** Incremented with every count. */
  countsRevision?: number;
  lastActivityAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** Limit of pending counts. */
export const mostRecounts = 1000;

export const projectSchema = new Schema<ProjectDocument>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    path: { type: String, required: true },
    fullPath: { type: String, required: true },
    pathKey: { type: String, required: true },
    nameWithNamespace: { type: String, required: true },
    description: { type: String, default: null },
    namespaceId: { type: Number, required: true },
    namespaceKind: { type: String, required: true },
    groupIds: { type: [Number], default: [], most: mostAbove + 1 },
    ownerId: Number,
    creatorId: { type: Number, required: true },
    visibility: { type: String, required: true },
    features: { type: Schema.Types.Mixed, required: true },
    settings: { type: Schema.Types.Mixed, required: true },
    containerExpirationPolicy: { type: Schema.Types.Mixed, required: true },
    cleanupAt: Date,
    topics: { type: [String], default: [], most: mostTopics },
    customAttributes: { type: [Object], default: undefined, most: mostAttributes },
    avatar: { type: Schema.Types.Mixed, default: null },
    storage: { type: String, required: true },
    placedBy: Number,
    isReadOnly: { type: Boolean, default: false },
    isArchived: { type: Boolean, default: false },
    defaultBranch: { type: String, default: null },
    isEmptyRepo: { type: Boolean, default: true },
    readmePath: { type: String, default: null },
    importStatus: { type: String, default: 'none' },
    importError: { type: String, default: null },
    importGaps: { type: [Object], default: undefined, most: 1 },
    forkedFromId: Number,
    forksCount: { type: Number, default: 0 },
    starCount: { type: Number, default: 0 },
    openIssues: Schema.Types.Mixed,
    uploadBytes: { type: Number, default: 0 },
    recounts: { type: [Object], default: undefined, select: false, most: mostRecounts },
    countsRevision: Number,
    lastActivityAt: { type: Date, required: true },
  },
  { collection: 'projects', timestamps: true, minimize: false },
);
// Look-up by path, on every uncached request.
projectSchema.index({ pathKey: 1 });
// Projects of one namespace, and of a group and everything below it, in the default order of lists.
projectSchema.index({ namespaceId: 1, createdAt: 1, _id: 1 });
projectSchema.index({ groupIds: 1, createdAt: 1, _id: 1 });
// Projects of a user's namespace, and their number.
projectSchema.index({ ownerId: 1 });
projectSchema.index({ creatorId: 1 });
// Lists of public and internal projects, by id for keyset pages and in the default order.
projectSchema.index({ visibility: 1, _id: 1 });
projectSchema.index({ createdAt: 1, _id: 1 });
projectSchema.index({ lastActivityAt: 1, _id: 1 });
// Projects of a topic.
projectSchema.index({ topics: 1 });
// Projects with a custom attribute; sparse, since few have any.
projectSchema.index({ 'customAttributes.key': 1, 'customAttributes.value': 1 }, { sparse: true });
// Forks of a project.
projectSchema.index({ forkedFromId: 1 }, { sparse: true });
// Pending counts; sparse, so it contains only projects with some.
projectSchema.index({ 'recounts.at': 1 }, { sparse: true });
// Due cleanup policies; sparse, since few projects ever had one.
projectSchema.index({ cleanupAt: 1 }, { sparse: true });
// Avatars that secondaries copy; sparse, since few projects have one.
projectSchema.index({ 'avatar.key': 1 }, { sparse: true });
projectSchema.plugin(outboxed);
