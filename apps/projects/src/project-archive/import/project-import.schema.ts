import type { NumberedKind, Visibility } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** The first id that was reserved for the records of a kind; none for kinds of which the archive has no record. */
export type FirstIds = Partial<Record<NumberedKind, number>>;

/** That a project is to be filled out of an archive. */
export interface ProjectImportDocument {
  /** Of the project. */
  _id: number;
  userId: number;
  /** Administrators find people by name alone. */
  isAdmin: boolean;
  /** Of the importer where the project is: nobody gets a higher one by the archive. */
  accessLevel: number;
  /** In place of what the archive says. */
  overrides: { description?: string; visibility?: Visibility };
  /** Where the archive is fetched, until it has been; sealed. */
  sealedUrl: string | null;
  /** What it takes the place of once it is filled. */
  replaces: { projectId: number; path: string } | null;
  /** `preparing` until the project is written. */
  status: 'preparing' | 'queued' | 'started' | 'finished' | 'failed';
  error: string | null;
  /** Nothing is left to do but to end it: its archive may be gone. */
  isFilled: boolean;
  /** Records of the archive have ids from here on; set before the first is written, so that none comes twice. */
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
// What a stop has left unfinished.
projectImportSchema.index({ status: 1, createdAt: 1 });
projectImportSchema.plugin(sealedFields, ['sealedUrl']);
