import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MongoError } from '../errors';

const WRITE_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;
const LENGTH_BYTES = 4;

/** Creates a file for data beyond the memory. */
export type OpenScratch = () => ScratchFile;

/** Removes files of a process that died between creating and unlinking them. */
export function clearScratch(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Spilled records of one operation: appended, then read in their order. The file is unlinked, so the system deletes
 * it when it is closed or the process ends. Calls are synchronous and of limited size: written data is read again
 * soon, mostly from the system's cache.
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

  /** The position of the next record. */
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

  /** The records in `[from, to)`. Each is valid until the next is read. */
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
