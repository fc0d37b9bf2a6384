import { randomUUID } from 'node:crypto';
import {
  type ContextOf,
  geoErrors,
  listCopiedImages,
  openImageCopy,
  type ParsedOf,
  registryErrors,
  removeImageCopy,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { isImageName } from '../image-name/image-name';
import { ownSubject, RegistryClient } from '../registry-client/registry-client';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { RegistrySettings } from '../settings/settings';
import { signToken } from '../signing/sign-token';
import { TokenKey } from '../signing/token-key';
import { RemoveTags } from '../tag/remove-tags';

/** Operations for the geo service: on a primary lists of images, on a secondary the target of copies. */
@Controller()
export class CopiedImages {
  constructor(
    private readonly repositories: ContainerRepositories,
    private readonly registry: RegistryClient,
    private readonly removal: RemoveTags,
    private readonly key: TokenKey,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  @Handles(listCopiedImages)
  async list(_: ContextOf<typeof listCopiedImages>, { id_after, limit }: ParsedOf<typeof listCopiedImages>) {
    const { REGISTRY_URL, REGISTRY_EXTERNAL_URL } = this.settings;
    const found = await this.repositories.shownAbove(id_after, limit);
    return {
      images: found.map(({ _id, path, projectId, tagsVersion }) => ({
        id: _id,
        path,
        project_id: projectId,
        version: tagsVersion,
      })),
      registry_url: REGISTRY_EXTERNAL_URL ?? REGISTRY_URL ?? null,
    };
  }

  @Handles(openImageCopy)
  async open(_: ContextOf<typeof openImageCopy>, { path }: ParsedOf<typeof openImageCopy>) {
    const { key } = this.key;
    const { REGISTRY_URL: registry_url } = this.settings;
    if (!key || !registry_url) throw registryErrors.notSetUp();
    await this.requireCopy(path);
    const access = [{ type: 'repository', name: path, actions: ['pull', 'push'] }];
    return { registry_url, token: signToken(key, ownSubject, access, new Date()) };
  }

  @Handles(removeImageCopy)
  async remove(_: ContextOf<typeof removeImageCopy>, { path, names }: ParsedOf<typeof removeImageCopy>): Promise<void> {
    this.registry.requireSetUp();
    await this.requireCopy(path);
    const tags = (names ?? (await this.registry.tagNames(path))).map((name) => ({ name }));
    if (tags.length > 0) await this.removal.remove(path, tags, randomUUID());
  }

  /** Images of this site's own projects are not copies. */
  private async requireCopy(path: string): Promise<void> {
    if (!isImageName(path) || (await this.repositories.findByPath(path))) throw geoErrors.ownFile();
  }
}
