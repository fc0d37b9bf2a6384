import type { GroupSettings, Visibility } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type CustomAttribute, mostAttributes } from '../custom-attribute/custom-attributes';
import type { Placed } from './placing';

/** A group, or the personal namespace of a user; they share ids and paths. */
export interface NamespaceDocument extends Outboxed, Placed {
  _id: number;
  kind: 'group' | 'user';
  name: string;
  path: string;
  /** `group/subgroup`, as written. */
  fullPath: string;
  /** `fullPath` in lower case. Routes decide who owns it. */
  pathKey: string;
  /** `Group / Subgroup`. */
  fullName: string;
  description: string;
  parentId: number | null;
  /** Groups above, nearest first. */
  ancestorIds: number[];
  visibility: Visibility;
  /** The user of a personal namespace. */
  ownerId?: number;
  /** Owners of a group; the last one cannot be removed. */
  ownerIds: number[];
  /** Custom attributes, visible to administrators only. */
  customAttributes?: CustomAttribute[];
  /** With the field names of the API: no code in between reads them. */
  settings: GroupSettings;
  avatar: { key: string; filename: string; contentType: string } | null;
  /** Set until a new path, name or parent is applied to everything below. */
  isMoving: boolean;
  /** Hidden from everybody; its content is being removed. */
  isDeleting: boolean;
  /** The import that created it, and its number in the archive: a repeated run finds it by these. */
  importedAs?: { importId: number; number: number };
  createdAt: Date;
  updatedAt: Date;
}

/** Limit of ancestors: with the group itself there are twenty levels. */
export const mostAbove = 19;
/** Limit of owners that a group stores. */
export const mostOwners = 10_000;

export const namespaceSchema = new Schema<NamespaceDocument>(
  {
    _id: { type: Number, required: true },
    kind: { type: String, required: true },
    name: { type: String, required: true },
    path: { type: String, required: true },
    fullPath: { type: String, required: true },
    pathKey: { type: String, required: true },
    fullName: { type: String, required: true },
    description: { type: String, default: '' },
    parentId: { type: Number, default: null },
    ancestorIds: { type: [Number], default: [], most: mostAbove },
    visibility: { type: String, required: true },
    ownerId: Number,
    ownerIds: { type: [Number], default: [], most: mostOwners },
    customAttributes: { type: [Object], default: undefined, most: mostAttributes },
    settings: { type: Schema.Types.Mixed, default: {} },
    avatar: { type: Schema.Types.Mixed, default: null },
    isMoving: { type: Boolean, default: false },
    placedBy: Number,
    isDeleting: { type: Boolean, default: false },
    importedAs: { type: Schema.Types.Mixed },
  },
  { collection: 'namespaces', timestamps: true, minimize: false },
);
// Look-up by path, on every uncached request.
namespaceSchema.index({ pathKey: 1 });
// The personal namespace of a user; one each, also if two processes receive the event.
namespaceSchema.index({ ownerId: 1 }, { unique: true, partialFilterExpression: { ownerId: { $exists: true } } });
// Lists of groups by name: subgroups, all below a group, all. Counts read index entries alone.
namespaceSchema.index({ parentId: 1, kind: 1, isDeleting: 1, name: 1, _id: 1 });
namespaceSchema.index({ ancestorIds: 1, kind: 1, isDeleting: 1, name: 1, _id: 1 });
namespaceSchema.index({ kind: 1, isDeleting: 1, name: 1, _id: 1 });
// Groups with a custom attribute; sparse, since few have any.
namespaceSchema.index({ 'customAttributes.key': 1, 'customAttributes.value': 1 }, { sparse: true });
// Interrupted moves and deletions.
namespaceSchema.index({ isMoving: 1 }, { partialFilterExpression: { isMoving: true } });
namespaceSchema.index({ isDeleting: 1 }, { partialFilterExpression: { isDeleting: true } });
// Groups that an import has created.
namespaceSchema.index(
  { 'importedAs.importId': 1 },
  { partialFilterExpression: { 'importedAs.importId': { $exists: true } } },
);
// Avatars that secondaries copy; sparse, since few groups have one.
namespaceSchema.index({ 'avatar.key': 1 }, { sparse: true });
namespaceSchema.plugin(outboxed);
