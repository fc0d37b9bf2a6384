import { Schema } from 'mongoose';

/** A chunk of a job's log. */
export interface TraceChunk {
  jobId: number;
  projectId: number;
  /** Bytes before it. */
  offset: number;
  sizeBytes: number;
  data: Buffer;
}

export const traceChunkSchema = new Schema<TraceChunk>(
  { jobId: Number, projectId: Number, offset: Number, sizeBytes: Number, data: Buffer },
  { versionKey: false, collection: 'trace_chunks' },
);
// In order of reading; unique, so that of two writers at the same position one fails.
traceChunkSchema.index({ jobId: 1, offset: 1 }, { unique: true });
// The end of a project.
traceChunkSchema.index({ projectId: 1 });
