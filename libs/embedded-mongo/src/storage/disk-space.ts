import { statfsSync } from 'node:fs';
import { MongoError } from '../errors';

const MIB = 1024 * 1024;
/** Free on the disk at least for a write to be taken: more than one transaction can need. */
const LEAST_FOR_WRITES = 64 * MIB;
/** As much is enough for removing what was dropped, which gives pages back to the database. */
const LEAST_FOR_REMOVAL = 16 * MIB;
/** Asking takes some microseconds, and in this time a disk is not filled by what the reserve holds. */
const LOOK_EVERY_MS = 100;

export type WriteKind = 'write' | 'removal';

/**
 * Refuses writes before the disk is full. After a transaction that fails on a full disk, memory and disk would differ, and
 * the server would have to exit. With this check reads continue, and writes are accepted again when there is space.
 */
export class DiskSpace {
  private free = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly folder: string) {}

  /** @returns OutOfDiskSpace (14031) where too little is free for it */
  refusal(kind: WriteKind): MongoError | undefined {
    const now = performance.now();
    if (now - this.lookedAt > LOOK_EVERY_MS) {
      const { bavail, bsize } = statfsSync(this.folder);
      this.free = bavail * bsize;
      this.lookedAt = now;
    }
    const least = kind === 'write' ? LEAST_FOR_WRITES : LEAST_FOR_REMOVAL;
    if (this.free >= least) return undefined;
    const [free, wanted] = [this.free, least].map((bytes) => Math.floor(bytes / MIB));
    return new MongoError('OutOfDiskSpace', `the disk of the data folder is full: ${free} MiB free, ${wanted} wanted`);
  }
}

/** @throws OutOfDiskSpace (14031) where a copy of so many bytes would leave too little for writes */
export function requireRoomFor(bytes: number, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const [free, wanted] = [bavail * bsize, bytes + LEAST_FOR_WRITES].map((each) => Math.floor(each / MIB)) as [
    number,
    number,
  ];
  if (free < wanted) throw new MongoError('OutOfDiskSpace', `a copy wants ${wanted} MiB, ${free} are free`);
}
