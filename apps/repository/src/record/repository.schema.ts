import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import { mostFindings } from '../git/storage/maintenance';
import { type RepositoryKind, repositoryKinds } from '../git/storage/storage';

/** Data about a project's repository that git does not store. */
export interface RepositoryRecord {
  /** Id of the project. */
  _id: number;
  storage: string;
  /** The setting of the group; applied when the default branch is created. */
  defaultBranchProtection: number;
  /** Pushes since the last maintenance. */
  pushes: number;
  maintainedAt: Date | null;
  /** Time and result of the last check; no findings for an intact repository. */
  checkedAt: Date | null;
  damage: string[];
  /** Source of the import, until it has been tried. */
  import?: WantedImport;
  /** Whether the wiki has content. */
  hasWiki?: true;
  /** Result of the last checksum that a secondary requested. */
  checksums?: Partial<Record<RepositoryKind, ChecksumOutcome>>;
  /** Whether files were ever locked by Git LFS; absent in records of versions that did not store it. */
  mayHaveLfsLocks?: boolean;
  /** It is a replica of another site, and read-only here. */
  isReplica?: true;
}

export type ChecksumOutcome = 'known' | 'failed';

export interface WantedImport {
  /** Encrypted: the URL may contain a password. */
  sealedUrl: string;
  /** The user who requested it. */
  who: string;
}

export const repositorySchema = new Schema<RepositoryRecord>(
  {
    _id: Number,
    storage: String,
    defaultBranchProtection: { type: Number, default: 2 },
    pushes: { type: Number, default: 0 },
    maintainedAt: { type: Date, default: null },
    checkedAt: { type: Date, default: null },
    damage: { type: [String], default: [], most: repositoryKinds.length * mostFindings },
    import: { type: { _id: false, sealedUrl: String, who: String }, default: undefined },
    hasWiki: { type: Boolean, default: undefined },
    checksums: { type: { _id: false, code: String, wiki: String }, default: undefined },
    mayHaveLfsLocks: { type: Boolean, default: undefined },
    isReplica: { type: Boolean, default: undefined },
  },
  { versionKey: false, collection: 'repositories' },
);

// Repositories of a storage, longest unchecked first.
repositorySchema.index({ storage: 1, checkedAt: 1 });
// Pending imports: few at any time.
repositorySchema.index({ 'import.who': 1 }, { sparse: true });
// Counts per kind, as replication nodes report them.
repositorySchema.index({ hasWiki: 1 }, { sparse: true });
repositorySchema.index({ checkedAt: 1 });
repositorySchema.index({ damage: 1 });
repositorySchema.index({ 'checksums.code': 1 }, { sparse: true });
repositorySchema.index({ 'checksums.wiki': 1 }, { sparse: true });
repositorySchema.plugin(sealedFields, ['import.sealedUrl']);
