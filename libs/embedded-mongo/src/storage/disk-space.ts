import { statfsSync } from 'node:fs';
import { MongoError } from '../errors';

const MIB = 1024 * 1024;
/** Minimum free space for a write: more than one transaction can need. */
const LEAST_FOR_WRITES = 64 * MIB;
/** Enough for removing dropped data, which frees pages of the database. */
const LEAST_FOR_REMOVAL = 16 * MIB;
/** A check takes some microseconds, and the reserve cannot be filled in this time. */
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

  /** @returns OutOfDiskSpace (14031) if too little is free for it */
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

/** @throws OutOfDiskSpace (14031) if a copy of that size would leave too little for writes */
export function requireRoomFor(bytes: number, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const [free, wanted] = [bavail * bsize, bytes + LEAST_FOR_WRITES].map((each) => Math.floor(each / MIB)) as [
    number,
    number,
  ];
  if (free < wanted) throw new MongoError('OutOfDiskSpace', `a copy wants ${wanted} MiB, ${free} are free`);
}
