import type { CopiedFile } from '@moothall/contracts';
import { type FileSource, numericId } from '@moothall/files';
import { Injectable } from '@nestjs/common';
import { keyOf, PackageFiles } from './package-file.repository';
import type { PackageFile } from './package-file.schema';

/** Package files that a secondary copies. */
@Injectable()
export class PackageFilesToCopy implements FileSource<number> {
  readonly idOf = numericId;
  readonly prefix = 'packages';

  constructor(private readonly files: PackageFiles) {}

  async above(id: number | undefined, limit: number): Promise<CopiedFile[]> {
    return (await this.files.storedAbove(id ?? 0, limit)).map(view);
  }

  async newest(limit: number): Promise<CopiedFile[]> {
    return (await this.files.newestStored(limit)).map(view);
  }

  async find(id: number): Promise<CopiedFile | undefined> {
    const file = await this.files.findStored(id);
    return file ? view(file) : undefined;
  }
}

const view = (file: PackageFile): CopiedFile => ({
  id: file._id,
  key: keyOf(file),
  size: file.sizeBytes,
  sha256: file.sha256,
  project_ids: [file.projectId],
});
