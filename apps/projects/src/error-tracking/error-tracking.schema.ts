import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** The error tracking settings of a project; its id is the project's. */
export interface ErrorTrackingDocument {
  _id: number;
  isActive: boolean;
  projectName: string | null;
  apiUrl: string | null;
  externalUrl: string | null;
  /** Encrypted. */
  token: string | null;
  isIntegrated: boolean;
}

export const errorTrackingSchema = new Schema<ErrorTrackingDocument>(
  {
    _id: { type: Number, required: true },
    isActive: { type: Boolean, required: true },
    projectName: { type: String, default: null },
    apiUrl: { type: String, default: null },
    externalUrl: { type: String, default: null },
    token: { type: String, default: null },
    isIntegrated: { type: Boolean, default: false },
  },
  { collection: 'error_tracking' },
);
errorTrackingSchema.plugin(sealedFields, ['token']);
