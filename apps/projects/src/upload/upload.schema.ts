import { Schema } from 'mongoose';

/** A file that texts of a project refer to. */
export interface UploadDocument {
  /** Part of the address, so that only users who know it find the file. */
  _id: string;
  projectId: number;
  filename: string;
  contentType: string;
  sizeBytes: number;
  /** Absent of those that came before it was noted. */
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
// What goes with a project, and how much it is.
uploadSchema.index({ projectId: 1, sizeBytes: 1 });
// The list of a project, newest first.
uploadSchema.index({ projectId: 1, createdAt: -1, _id: 1 });
// The newest, which secondaries look for.
uploadSchema.index({ createdAt: -1 });
