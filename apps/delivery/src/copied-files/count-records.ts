import { type ContextOf, countPackageFiles, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { LfsContents } from '../lfs-object/lfs-content.repository';
import { PackageFiles } from '../package/package-file.repository';

/** Estimated counts from collection metadata, without reading documents. */
@Controller()
export class CountRecords {
  constructor(
    private readonly files: PackageFiles,
    private readonly contents: LfsContents,
  ) {}

  @Handles(countPackageFiles)
  async count(_: ContextOf<typeof countPackageFiles>, __: ParsedOf<typeof countPackageFiles>) {
    const [package_files, lfs_objects] = await Promise.all([this.files.count(), this.contents.count()]);
    return { package_files, lfs_objects };
  }
}
