import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

export interface ProjectExportDocument {
  _id: number;
  projectId: number;
  /** The project, as long as the export is under way: of each there is one at a time. */
  underWayOf?: number;
  /** The recipient of the mail. */
  userId: number;
  /** In place of the one that the project has. */
  description: string | null;
  /** Where the archive is sent to, too; sealed. */
  sealedUrl: string | null;
  uploadMethod: 'PUT' | 'POST';
  status: 'queued' | 'started' | 'finished' | 'failed';
  error: string | null;
  /** Where the run under way collects the files; the next run removes it when that one was killed. */
  folder: string | null;
  filename: string | null;
  /** The mail is on its way, and exports that came before are gone. */
  isTold: boolean;
  createdAt: Date;
  finishedAt: Date | null;
}

export const projectExportSchema = new Schema<ProjectExportDocument>(
  {
    _id: { type: Number, required: true },
    projectId: { type: Number, required: true },
    underWayOf: Number,
    userId: { type: Number, required: true },
    description: { type: String, default: null },
    sealedUrl: { type: String, default: null },
    uploadMethod: { type: String, default: 'PUT' },
    status: { type: String, required: true },
    error: { type: String, default: null },
    folder: { type: String, default: null },
    filename: { type: String, default: null },
    isTold: { type: Boolean, default: false },
    finishedAt: { type: Date, default: null },
  },
  { collection: 'project_exports', timestamps: { createdAt: true, updatedAt: false } },
);
// The latest export of a project.
projectExportSchema.index({ projectId: 1, _id: -1 });
// One at a time.
projectExportSchema.index({ underWayOf: 1 }, { unique: true, sparse: true });
// What a stop has left unfinished, and what has been kept long enough.
projectExportSchema.index({ status: 1, createdAt: 1 });
projectExportSchema.plugin(sealedFields, ['sealedUrl']);
