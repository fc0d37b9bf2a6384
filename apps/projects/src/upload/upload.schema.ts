import { Schema } from 'mongoose';

/** A file that texts of a project refer to. */
export interface UploadDocument {
  /** Part of the URL, so only users who know it can read the file. */
  _id: string;
  projectId: number;
  filename: string;
  contentType: string;
  sizeBytes: number;
  /** Absent for uploads of older versions. */
  sha256?: string;
  userId: number;
  createdAt: Date;
}

export const uploadSchema = new Schema<UploadDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: Number, required: true },
    filename: { type: String, required: true },
    contentType: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    sha256: { type: String, default: undefined },
    userId: { type: Number, required: true },
  },
  { collection: 'uploads', timestamps: { createdAt: true, updatedAt: false } },
);
// Uploads of a project and their size, for its deletion.
uploadSchema.index({ projectId: 1, sizeBytes: 1 });
// The list of a project, newest first.
uploadSchema.index({ projectId: 1, createdAt: -1, _id: 1 });
// The newest uploads, for secondaries.
uploadSchema.index({ createdAt: -1 });
