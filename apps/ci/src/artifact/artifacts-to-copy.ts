import type { CopiedFile } from '@moothall/contracts';
import { type FileSource, numericId } from '@moothall/files';
import { Injectable } from '@nestjs/common';
import { Artifacts, keyOf } from './artifact.repository';
import type { Artifact } from './artifact.schema';

/** Artifacts, as a secondary copies them. */
@Injectable()
export class ArtifactsToCopy implements FileSource<number> {
  readonly idOf = numericId;
  readonly prefix = 'artifacts';

  constructor(private readonly artifacts: Artifacts) {}

  async above(id: number | undefined, limit: number): Promise<CopiedFile[]> {
    return (await this.artifacts.storedAbove(id ?? 0, limit)).map(view);
  }

  async newest(limit: number): Promise<CopiedFile[]> {
    return (await this.artifacts.newestStored(limit)).map(view);
  }

  async find(id: number): Promise<CopiedFile | undefined> {
    const artifact = await this.artifacts.findById(id);
    return artifact ? view(artifact) : undefined;
  }
}

const view = (artifact: Artifact): CopiedFile => ({
  id: artifact._id,
  key: keyOf(artifact),
  size: artifact.sizeBytes,
  sha256: artifact.sha256,
  project_ids: [artifact.projectId],
});
