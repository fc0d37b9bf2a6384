import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MongoError } from '../errors';

const WRITE_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;
const LENGTH_BYTES = 4;

/** Makes a file for what memory does not hold. */
export type OpenScratch = () => ScratchFile;

/** Removes what a process left that died between making a file and taking its name away. */
export function clearScratch(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Records that one operation puts aside: appended, then read in their order. The file has no name, so the system
 * takes it back when it is closed or the process ends. Calls are synchronous and of bounded size: what is written is
 * read again soon, and mostly comes from the system's cache.
 */
export class ScratchFile {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private written = 0;
  private isClosed = false;

  private constructor(private readonly descriptor: number) {}

  /** @throws OutOfDiskSpace (14031) */
  static open(folder: string): ScratchFile {
    return onDisk(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, randomUUID());
      const descriptor = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return new ScratchFile(descriptor);
    });
  }

  /** Where the next record will begin. */
  get size(): number {
    return this.written + this.pendingBytes;
  }

  /** @throws OutOfDiskSpace (14031) */
  append(record: Uint8Array): void {
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt32LE(record.length, 0);
    this.pending.push(length, Buffer.from(record.buffer, record.byteOffset, record.byteLength));
    this.pendingBytes += LENGTH_BYTES + record.length;
    if (this.pendingBytes >= WRITE_BYTES) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.concat(this.pending);
    onDisk(() => {
      for (let from = 0; from < bytes.length; ) {
        from += writeSync(this.descriptor, bytes, from, bytes.length - from, this.written + from);
      }
    });
    this.written += bytes.length;
    this.pending = [];
    this.pendingBytes = 0;
  }

  /** The records that begin in `[from, to)`. Each is there until the next is asked for. */
  *records(from = 0, to = this.size): Generator<Buffer> {
    if (this.pendingBytes > 0) this.flush();
    let buffer: Buffer = Buffer.alloc(0);
    let position = from;
    let offset = 0;
    const need = (bytes: number): void => {
      if (buffer.length - offset >= bytes) return;
      const wanted = Math.min(Math.max(bytes, READ_BYTES), to - position);
      buffer = this.read(position, wanted);
      offset = 0;
    };
    while (position < to) {
      need(LENGTH_BYTES);
      const length = buffer.readUInt32LE(offset);
      need(LENGTH_BYTES + length);
      yield buffer.subarray(offset + LENGTH_BYTES, offset + LENGTH_BYTES + length);
      offset += LENGTH_BYTES + length;
      position += LENGTH_BYTES + length;
    }
  }

  private read(position: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafe(bytes);
    const read = readSync(this.descriptor, buffer, 0, bytes, position);
    if (read < bytes) throw new Error(`a scratch file is truncated: ${read} of ${bytes} bytes at ${position}`);
    return buffer;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.pending = [];
    closeSync(this.descriptor);
  }
}

const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function onDisk<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!fullDisk.has(String(code))) throw error;
    throw new MongoError('OutOfDiskSpace', `no space for what the operation puts aside: ${message}`);
  }
}
