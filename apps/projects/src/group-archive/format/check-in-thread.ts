import { Readable } from 'node:stream';
import { type ErrorValue, OperationError } from '@moothall/contracts';
import type { Check } from '../../archive/archive-checks';
import { requireValidGroup } from '../../group/group-rules';
import type { ArchivedGroup } from './archive-format';
import { type ArchiveLimits, archiveRefused, readArchive } from './read-archive';

/** The facts of a valid archive. */
export interface ArchiveFacts {
  /** The group that was exported. */
  top: ArchivedGroup;
  rows: number;
}

/** Runs in a thread that can be terminated: see GroupArchiveChecks. */
export default async function checkInThread({
  bytes,
  limits,
}: Check<ArchiveLimits>): Promise<ArchiveFacts | { refusal: ErrorValue }> {
  try {
    return await factsOf(Readable.fromWeb(bytes), limits);
  } catch (error) {
    if (error instanceof OperationError) return { refusal: error.value };
    throw error;
  }
}

/** @throws group_export.archive_refused, group.not_saved */
async function factsOf(archive: Readable, limits: ArchiveLimits): Promise<ArchiveFacts> {
  let rows = 0;
  let top: ArchivedGroup | undefined;
  await readArchive(archive, limits, {
    row: async () => {
      rows += 1;
    },
    group: async (group) => {
      if (group.number > 1) requireValidGroup(group, false, group.description);
      top ??= group;
    },
  });
  if (!top) throw archiveRefused('it holds no group');
  return { top, rows };
}
