const NEWLINE = 0x0a;

/** Bytes that arrive in chunks and are read as lines or in exact lengths; only reads across chunks copy. */
export class ByteQueue {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Number of leading chunks without a newline, so that a long line is not searched again with each chunk. */
  private searched = 0;

  get length(): number {
    return this.size;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** Puts bytes back at the front. */
  unshift(bytes: Buffer): void {
    this.chunks.unshift(bytes);
    this.size += bytes.length;
    this.searched = 0;
  }

  /** The next `length` bytes, or null if they have not all arrived. */
  take(length: number): Buffer | null {
    if (this.size < length) return null;
    this.searched = 0;
    const first = this.chunks[0];
    if (first && first.length > length) {
      this.chunks[0] = first.subarray(length);
      this.size -= length;
      return first.subarray(0, length);
    }
    const all = this.joined();
    this.chunks = all.length > length ? [all.subarray(length)] : [];
    this.size -= length;
    return all.subarray(0, length);
  }

  /** The next line without its newline, or null if its end has not arrived. */
  takeLine(): Buffer | null {
    for (; this.searched < this.chunks.length; this.searched++) {
      const at = this.chunks[this.searched]?.indexOf(NEWLINE) ?? -1;
      if (at < 0) continue;
      const before = this.chunks.slice(0, this.searched).reduce((sum, { length }) => sum + length, 0);
      return this.take(before + at + 1)?.subarray(0, -1) ?? null;
    }
    return null;
  }

  private joined(): Buffer {
    const [first, ...others] = this.chunks;
    return first && others.length === 0 ? first : Buffer.concat(this.chunks, this.size);
  }
}
