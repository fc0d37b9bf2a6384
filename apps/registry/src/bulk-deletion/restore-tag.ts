import { Injectable } from '@nestjs/common';
import { RegistryClient } from '../registry-client/registry-client';
import type { ContainerRepository } from '../repository/container-repository.schema';
import { LookAtTag } from '../tag/look-at-tag';
import type { PlannedTag } from '../tag/tag.repository';

/** Restores a tag that was pushed while its former image was being deleted. */
@Injectable()
export class RestoreTag {
  constructor(
    private readonly client: RegistryClient,
    private readonly lookAt: LookAtTag,
  ) {}

  /** Unless a tag of that name exists, or the image is deleted. */
  async restore(repository: ContainerRepository, { name, digest }: PlannedTag): Promise<void> {
    const { tag } = await this.lookAt.look(repository, name);
    const manifest = tag ? undefined : await this.client.manifest(repository.path, digest);
    if (!manifest) return;
    await this.client.putManifest(repository.path, name, manifest);
    await this.lookAt.look(repository, name);
  }
}
