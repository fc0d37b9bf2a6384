import type { GroupSettings, Visibility } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type CustomAttribute, mostAttributes } from '../custom-attribute/custom-attributes';
import type { Placed } from './placing';

/** A group, or a user's own place for projects; they share ids and paths. */
export interface NamespaceDocument extends Outboxed, Placed {
  _id: number;
  kind: 'group' | 'user';
  name: string;
  path: string;
  /** `group/subgroup`, as written. */
  fullPath: string;
  /** `fullPath` in lower case; whose it is, the routes decide. */
  pathKey: string;
  /** `Group / Subgroup`. */
  fullName: string;
  description: string;
  parentId: number | null;
  /** Groups above, nearest first. */
  ancestorIds: number[];
  visibility: Visibility;
  /** The user whose namespace this is. */
  ownerId?: number;
  /** Owners of a group that count: the last of them cannot go. */
  ownerIds: number[];
  /** What administrators note, and nobody else sees. */
  customAttributes?: CustomAttribute[];
  /** Under the names of the wire: nothing in between reads them. */
  settings: GroupSettings;
  avatar: { key: string; filename: string; contentType: string } | null;
  /** Set while what lies below still has to learn a new path, name or parent. */
  isMoving: boolean;
  /** Gone for everybody; what lies below is being removed. */
  isDeleting: boolean;
  /** Which import made it, and its number in the archive: how a repeated run finds it again. */
  importedAs?: { importId: number; number: number };
  createdAt: Date;
  updatedAt: Date;
}

/** Groups above a group: with itself there are twenty. */
export const mostAbove = 19;
/** Whose number a group knows. */
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
// The namespace of a user; one each, also if two processes receive the event.
namespaceSchema.index({ ownerId: 1 }, { unique: true, partialFilterExpression: { ownerId: { $exists: true } } });
// Lists of groups by name: subgroups, all below a group, all there are. Their number comes from index entries alone.
namespaceSchema.index({ parentId: 1, kind: 1, isDeleting: 1, name: 1, _id: 1 });
namespaceSchema.index({ ancestorIds: 1, kind: 1, isDeleting: 1, name: 1, _id: 1 });
namespaceSchema.index({ kind: 1, isDeleting: 1, name: 1, _id: 1 });
// Groups with an attribute; sparse, since few have any.
namespaceSchema.index({ 'customAttributes.key': 1, 'customAttributes.value': 1 }, { sparse: true });
// What a stop has left unfinished.
namespaceSchema.index({ isMoving: 1 }, { partialFilterExpression: { isMoving: true } });
namespaceSchema.index({ isDeleting: 1 }, { partialFilterExpression: { isDeleting: true } });
// What an import has made so far.
namespaceSchema.index(
  { 'importedAs.importId': 1 },
  { partialFilterExpression: { 'importedAs.importId': { $exists: true } } },
);
// Pictures that secondaries copy; sparse, since few have one.
namespaceSchema.index({ 'avatar.key': 1 }, { sparse: true });
namespaceSchema.plugin(outboxed);
