import type { UploadedFile } from '@moothall/contracts';

/** A file that this gateway received. No value that a client sends can be one. */
export class SpooledFile implements UploadedFile {
  constructor(readonly ticket: string) {}
}
