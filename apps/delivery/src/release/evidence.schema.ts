import { Schema } from 'mongoose';

/** The file of an evidence. Evidences of a release that did not change share one. */
export interface EvidenceFile {
  /** Release and SHA-256 of the content. */
  _id: string;
  projectId: number;
  releaseId: number;
  /** JSON, at most 13 MB: see `evidenceOf`. */
  content: string;
  hasMilestones: boolean;
}

export const evidenceFileSchema = new Schema<EvidenceFile>(
  { _id: String, projectId: Number, releaseId: Number, content: String, hasMilestones: Boolean },
  { versionKey: false, collection: 'release_evidences' },
);
// For the deletion of a release, or of a project.
evidenceFileSchema.index({ projectId: 1, releaseId: 1 });
