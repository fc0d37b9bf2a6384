import { Readable } from 'node:stream';
import { type ErrorValue, type NumberedKind, numberedKinds, OperationError } from '@moothall/contracts';
import type { Check } from '../../archive/archive-checks';
import { rowsPath } from './archive-format';
import { type ArchiveLimits, readArchive } from './read-archive';

/** The facts of a valid archive. */
export interface ArchiveFacts {
  /** Number of records for which an import reserves ids. */
  counts: Record<NumberedKind, number>;
}

/** Runs in a thread that can be terminated: see ProjectArchiveChecks. */
export default async function checkInThread({
  bytes,
  limits,
}: Check<ArchiveLimits>): Promise<ArchiveFacts | { refusal: ErrorValue }> {
  try {
    const { files } = await readArchive(Readable.fromWeb(bytes), limits, {});
    const counts = numberedKinds.map((kind) => [kind, files[rowsPath(kind)]?.rows ?? 0]);
    return { counts: Object.fromEntries(counts) };
  } catch (error) {
    if (error instanceof OperationError) return { refusal: error.value };
    throw error;
  }
}
