import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import { type ArchiveExport, archiveExportFields } from '../../archive/archive-export';

export interface ProjectExportDocument extends ArchiveExport {
  projectId: number;
  /** The project until the export has ended: the unique index allows one unfinished export per project. */
  underWayOf?: number;
  /** Replaces the description of the project in the archive. */
  description: string | null;
  /** URL for uploading the archive; encrypted. */
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
// One unfinished export per project.
projectExportSchema.index({ underWayOf: 1 }, { unique: true, sparse: true });
// Unfinished and expired exports.
projectExportSchema.index({ status: 1, createdAt: 1 });
projectExportSchema.plugin(sealedFields, ['sealedUrl']);
