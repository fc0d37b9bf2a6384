import type { UploadedFile } from '@moothall/contracts';

/** A file that this gateway took from a client. No value that a client writes is one. */
export class SpooledFile implements UploadedFile {
  constructor(readonly ticket: string) {}
}
