import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import { mostFindings } from '../git/storage/maintenance';
import { type RepositoryKind, repositoryKinds } from '../git/storage/storage';

/** What is known of a project's repository besides what git knows. */
export interface RepositoryRecord {
  /** Id of the project. */
  _id: number;
  storage: string;
  /** As groups have it; counts when the default branch comes into being. */
  defaultBranchProtection: number;
  /** Pushes since the last maintenance. */
  pushes: number;
  maintainedAt: Date | null;
  /** When it was last looked over, and what was found; empty when all is well. */
  checkedAt: Date | null;
  damage: string[];
  /** What it is to be filled from, until it has been tried. */
  import?: WantedImport;
  /** Something was written in the wiki. */
  hasWiki?: true;
  /** How it went when a site that copies this one asked for a checksum last. */
  checksums?: Partial<Record<RepositoryKind, ChecksumOutcome>>;
  /** Whether files were ever locked by Git LFS; absent where nobody has noted that from the beginning. */
  mayHaveLfsLocks?: boolean;
  /** It is a copy of another site's, and nobody's to write to here. */
  isReplica?: true;
}

export type ChecksumOutcome = 'known' | 'failed';

export interface WantedImport {
  /** Sealed: the address may carry a password. */
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

// Those of a storage that were checked longest ago.
repositorySchema.index({ storage: 1, checkedAt: 1 });
// Those that are to be filled: few at any time.
repositorySchema.index({ 'import.who': 1 }, { sparse: true });
// Counts per kind, as replication nodes report them.
repositorySchema.index({ hasWiki: 1 }, { sparse: true });
repositorySchema.index({ checkedAt: 1 });
repositorySchema.index({ damage: 1 });
repositorySchema.index({ 'checksums.code': 1 }, { sparse: true });
repositorySchema.index({ 'checksums.wiki': 1 }, { sparse: true });
repositorySchema.plugin(sealedFields, ['import.sealedUrl']);
