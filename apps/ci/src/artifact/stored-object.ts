import { Readable } from 'node:stream';
import { buffer as collect } from 'node:stream/consumers';
import type { ByteRange, ObjectStorage } from '@moothall/object-storage';
import { RandomAccessReader } from 'yauzl';

/** Read at a time: an index is read in hundreds of small parts, each of which might be a request to the storage. */
const blockBytes = 256 * 1024;
/** Of blocks together: an index of as many entries as are read, with names of usual lengths. */
const mostBlockBytes = 64 * 1024 ** 2;

/** A stored object for an archive reader: read in blocks, of which one is cached, or as a stream. */
export class StoredObject extends RandomAccessReader {
  /** The error of the storage. */
  fault: unknown;
  private block: { start: number; bytes: Buffer } | undefined;
  private blockBytesLeft = mostBlockBytes;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly key: string,
    private readonly sizeBytes: number,
  ) {
    super();
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.bytesAt(position, length).then(
      (bytes) => callback(null, bytes.copy(into, offset)),
      (error: Error) => callback(error),
    );
  }

  private async bytesAt(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.sizeBytes);
    if (position >= end) return Buffer.alloc(0);
    const { block } = this;
    const isKept = block && position >= block.start && end <= block.start + block.bytes.length;
    const { start, bytes } = isKept ? block : await this.load(position, Math.max(end, position + blockBytes));
    return bytes.subarray(position - start, end - start);
  }

  private async load(start: number, end: number) {
    if (this.blockBytesLeft <= 0) throw new Error('the index of an archive is too large');
    const bytes = await this.loaded({ start, end: Math.min(end, this.sizeBytes) });
    this.blockBytesLeft -= bytes.length;
    this.block = { start, bytes };
    return this.block;
  }

  private async loaded(range: ByteRange): Promise<Buffer> {
    try {
      return await collect((await this.storage.read(this.key, range)).stream);
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(start < end ? this.bytesOf({ start, end }) : [], { objectMode: false });
  }

  private async *bytesOf(range: ByteRange): AsyncGenerator<Buffer> {
    try {
      yield* (await this.storage.read(this.key, range)).stream;
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }
}
