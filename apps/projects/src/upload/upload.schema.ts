import { Schema } from 'mongoose';

/** A file that texts of a project refer to. */
export interface UploadDocument {
  /** Part of the address, so that only who was shown it finds the file. */
  _id: string;
  projectId: number;
  filename: string;
  contentType: string;
  sizeBytes: number;
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
    userId: { type: Number, required: true },
  },
  { collection: 'uploads', timestamps: { createdAt: true, updatedAt: false } },
);
// What goes with a project, and how much it is.
uploadSchema.index({ projectId: 1, sizeBytes: 1 });
