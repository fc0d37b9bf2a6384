import type { SchemaDefinition } from 'mongoose';

/** The state of an export, of a group or a project. */
export interface ArchiveExport {
  _id: number;
  /** The recipient of the mail. */
  userId: number;
  status: 'queued' | 'started' | 'finished' | 'failed';
  error: string | null;
  /** Where the current run collects the files; the next run removes it when that one was killed. */
  folder: string | null;
  filename: string | null;
  /** Set once the mail is queued and earlier exports are deleted. */
  isTold: boolean;
  createdAt: Date;
  finishedAt: Date | null;
}

export const archiveExportFields = {
  _id: { type: Number, required: true },
  userId: { type: Number, required: true },
  status: { type: String, required: true },
  error: { type: String, default: null },
  folder: { type: String, default: null },
  filename: { type: String, default: null },
  isTold: { type: Boolean, default: false },
  finishedAt: { type: Date, default: null },
} satisfies SchemaDefinition;
