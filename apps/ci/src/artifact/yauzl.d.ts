/** What is used of it. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  export interface Entry {
    fileName: string;
    compressedSize: number;
    uncompressedSize: number;
    /** Neither encrypted, nor packed in a way that is not known. */
    canDecodeFileData(): boolean;
  }

  export interface ZipFile {
    entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
    close(): void;
  }

  export abstract class RandomAccessReader {
    abstract _readStreamForRange(start: number, end: number): Readable;
    read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void;
  }

  export function fromRandomAccessReaderPromise(
    reader: RandomAccessReader,
    totalSize: number,
    options?: { autoClose?: boolean },
  ): Promise<ZipFile>;
}
