/** The part of archiver 8 that is used here; it ships no types of its own. */
declare module 'archiver' {
  import type { Transform } from 'node:stream';

  interface EntryData {
    name: string;
    date?: Date;
    mode?: number;
  }

  /** A readable stream of the archive. */
  export class TarArchive extends Transform {
    constructor(options: { gzip?: boolean; statConcurrency?: number });
    file(path: string, entry: EntryData): this;
    finalize(): Promise<void>;
    abort(): this;
  }
}
