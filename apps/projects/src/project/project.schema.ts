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
  /** `fullPath` in lower case; whose it is, the routes decide. */
  pathKey: string;
  /** `Group / Subgroup / Project`. */
  nameWithNamespace: string;
  description: string | null;
  namespaceId: number;
  namespaceKind: 'group' | 'user';
  /** Groups above, nearest first; empty in a user's namespace. */
  groupIds: number[];
  /** The user in whose namespace it is. */
  ownerId?: number;
  creatorId: number;
  visibility: Visibility;
  features: Record<ProjectFeature, FeatureAccess>;
  /** Under the names of the wire: almost nothing in between reads them. */
  settings: ProjectSettings;
  containerExpirationPolicy: ContainerExpirationPolicy;
  /** When that policy is due; null while it is switched off. */
  cleanupAt?: Date | null;
  topics: string[];
  /** What administrators note, and nobody else sees. */
  customAttributes?: CustomAttribute[];
  avatar: { key: string; filename: string; contentType: string } | null;
  storage: string;
  /** A storage move is switching over. */
  isReadOnly: boolean;
  isArchived: boolean;
  /** Chosen, or found by the first push. */
  defaultBranch: string | null;
  isEmptyRepo: boolean;
  /** In the default branch. */
  readmePath: string | null;
  importStatus: 'none' | 'scheduled' | 'started' | 'finished' | 'failed';
  importError: string | null;
  /** What an import that succeeded has left out, and why. */
  importGaps?: { relation: string; message: string }[];
  forkedFromId?: number;
  forksCount: number;
  starCount: number;
  /** As the collaboration service has counted them last; absent until there are any. */
  openIssues?: { all: number; confidential: number };
  /** Bytes of the files uploaded to the project. */
  uploadBytes: number;
  recounts?: Recount[];
  /** Counted up with every count. */
  countsRevision?: number;
  lastActivityAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** That wait to be taken. */
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
// Projects of one namespace, and of a group and all below it, in the default order of lists.
projectSchema.index({ namespaceId: 1, createdAt: 1, _id: 1 });
projectSchema.index({ groupIds: 1, createdAt: 1, _id: 1 });
// A user's own projects, and how many they have made.
projectSchema.index({ ownerId: 1 });
projectSchema.index({ creatorId: 1 });
// What anybody may list, by id for keyset pages and in the default order.
projectSchema.index({ visibility: 1, _id: 1 });
projectSchema.index({ createdAt: 1, _id: 1 });
projectSchema.index({ lastActivityAt: 1, _id: 1 });
// Projects of a topic.
projectSchema.index({ topics: 1 });
// Projects with an attribute; sparse, since few have any.
projectSchema.index({ 'customAttributes.key': 1, 'customAttributes.value': 1 }, { sparse: true });
// Forks of a project.
projectSchema.index({ forkedFromId: 1 }, { sparse: true });
// Counts that were left to be taken; sparse, so that it holds just those.
projectSchema.index({ 'recounts.at': 1 }, { sparse: true });
// Policies for images that are due; sparse, since few projects ever had one.
projectSchema.index({ cleanupAt: 1 }, { sparse: true });
// Pictures that secondaries copy; sparse, since few have one.
projectSchema.index({ 'avatar.key': 1 }, { sparse: true });
projectSchema.plugin(outboxed);
