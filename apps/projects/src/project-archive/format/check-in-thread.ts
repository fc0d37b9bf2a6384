import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type ErrorValue, OperationError } from '@moothall/contracts';
import { type ArchiveLimits, readArchive } from './read-archive';

export interface Check {
  bytes: ReadableStream<Uint8Array>;
  limits: ArchiveLimits;
}

/** What is told of a sound archive. */
export interface ArchiveFacts {
  notes: number;
}

/** Runs in a thread that can be ended: see ProjectArchiveChecks. */
export default async function checkInThread({ bytes, limits }: Check): Promise<ArchiveFacts | { refusal: ErrorValue }> {
  try {
    const { files } = await readArchive(Readable.fromWeb(bytes), limits, {});
    return { notes: files['notes.ndjson']?.rows ?? 0 };
  } catch (error) {
    if (error instanceof OperationError) return { refusal: error.value };
    throw error;
  }
}
