import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import { type ArchiveExport, archiveExportFields } from '../../archive/archive-export';

export interface ProjectExportDocument extends ArchiveExport {
  projectId: number;
  /** The project, until the export has ended: a project has one unfinished export at a time. */
  underWayOf?: number;
  /** Replaces the description of the project in the archive. */
  description: string | null;
  /** Where the archive is also sent to; sealed. */
  sealedUrl: string | null;
  uploadMethod: 'PUT' | 'POST';
}

export const projectExportSchema = new Schema<ProjectExportDocument>(
  {
    ...archiveExportFields,
    projectId: { type: Number, required: true },
    underWayOf: Number,
    description: { type: String, default: null },
    sealedUrl: { type: String, default: null },
    uploadMethod: { type: String, default: 'PUT' },
  },
  { collection: 'project_exports', timestamps: { createdAt: true, updatedAt: false } },
);
// The latest export of a project.
projectExportSchema.index({ projectId: 1, _id: -1 });
// One at a time.
projectExportSchema.index({ underWayOf: 1 }, { unique: true, sparse: true });
// Unfinished and expired exports.
projectExportSchema.index({ status: 1, createdAt: 1 });
projectExportSchema.plugin(sealedFields, ['sealedUrl']);
