import type { CopiedFile } from '@moothall/contracts';
import { type FileSource, numericId } from '@moothall/files';
import { Injectable } from '@nestjs/common';
import { keyOf, LfsContents } from './lfs-content.repository';
import type { LfsContent } from './lfs-content.schema';
import { LfsObjects } from './lfs-object.repository';

/** Contents of Git LFS that a secondary copies, once for all projects that refer to them. */
@Injectable()
export class LfsFiles implements FileSource<number> {
  readonly idOf = numericId;
  readonly prefix = 'lfs';

  constructor(
    private readonly contents: LfsContents,
    private readonly objects: LfsObjects,
  ) {}

  async above(id: number | undefined, limit: number): Promise<CopiedFile[]> {
    return this.show(await this.contents.storedAbove(id ?? 0, limit));
  }

  async newest(limit: number): Promise<CopiedFile[]> {
    return this.show(await this.contents.newestStored(limit));
  }

  async find(id: number): Promise<CopiedFile | undefined> {
    const content = await this.contents.find(id);
    return content ? (await this.show([content])).at(0) : undefined;
  }

  private async show(contents: LfsContent[]): Promise<CopiedFile[]> {
    const projects = await this.objects.projectsOf(contents.map(({ _id }) => _id));
    return contents.map((content) => ({
      id: content._id,
      key: keyOf(content),
      size: content.sizeBytes,
      sha256: content.oid,
      project_ids: projects.get(content._id) ?? [],
    }));
  }
}
