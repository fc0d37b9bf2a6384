import type { NumberedKind, Visibility } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** First reserved id of each kind; absent for kinds without records in the archive. */
export type FirstIds = Partial<Record<NumberedKind, number>>;

/** The import of an archive into a project. */
export interface ProjectImportDocument {
  /** Id of the project. */
  _id: number;
  userId: number;
  /** Administrators may match users by name alone. */
  isAdmin: boolean;
  /** Access level of the importer in the namespace: the archive grants nobody a higher one. */
  accessLevel: number;
  /** Replace values of the archive. */
  overrides: { description?: string; visibility?: Visibility };
  /** Source URL until the archive is fetched; encrypted. */
  sealedUrl: string | null;
  /** The project that it replaces once it is complete. */
  replaces: { projectId: number; path: string } | null;
  /** `preparing` until the project is written. */
  status: 'preparing' | 'queued' | 'started' | 'finished' | 'failed';
  error: string | null;
  /** Set once all records are written: the archive may be deleted then. */
  isFilled: boolean;
  /**
   * First ids for the records of the archive; stored before the first record is written, so that a repeated run writes
   * none twice.
   */
  firstIds?: FirstIds;
  createdAt: Date;
}

export const projectImportSchema = new Schema<ProjectImportDocument>(
  {
    _id: { type: Number, required: true },
    userId: { type: Number, required: true },
    isAdmin: { type: Boolean, required: true },
    accessLevel: { type: Number, required: true },
    overrides: { type: Schema.Types.Mixed, default: {} },
    sealedUrl: { type: String, default: null },
    replaces: { type: new Schema({ projectId: Number, path: String }, { _id: false }), default: null },
    status: { type: String, required: true },
    error: { type: String, default: null },
    isFilled: { type: Boolean, default: false },
    firstIds: Schema.Types.Mixed,
  },
  { collection: 'project_imports', timestamps: { createdAt: true, updatedAt: false }, minimize: false },
);
// Interrupted imports.
projectImportSchema.index({ status: 1, createdAt: 1 });
projectImportSchema.plugin(sealedFields, ['sealedUrl']);
