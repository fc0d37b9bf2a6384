import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';

/** Size and checksum of a copy. */
export interface Copied {
  size: number;
  sha256: string;
}

const chunk = Buffer.allocUnsafe(1 << 20);

/** Copies a file to a new path. @returns undefined if the source was deleted */
export function copyFile(source: string, target: string, mode: number): Copied | undefined {
  const from = openIfThere(source);
  if (from === undefined) return undefined;
  try {
    const to = openSync(target, 'wx', mode);
    try {
      return passOn(from, (bytes) => writeAll(to, bytes));
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Size and checksum of a file. */
export function readThrough(file: string): Copied {
  const from = openSync(file, 'r');
  try {
    return passOn(from, () => undefined);
  } finally {
    closeSync(from);
  }
}

function passOn(from: number, take: (bytes: Buffer) => void): Copied {
  const hash = createHash('sha256');
  let size = 0;
  for (;;) {
    const length = readSync(from, chunk);
    if (length === 0) return { size, sha256: hash.digest('hex') };
    const bytes = chunk.subarray(0, length);
    hash.update(bytes);
    take(bytes);
    size += length;
  }
}

function writeAll(to: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(to, bytes, written);
}
