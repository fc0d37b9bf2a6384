import { type ContextOf, getRegistryTag, listRegistryTags, type ParsedOf, registryErrors } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RegistryClient } from '../../registry-client/registry-client';
import { ContainerRepositories } from '../../repository/container-repository.repository';
import { KnownTag } from '../known-tag';
import { Tags } from '../tag.repository';
import { TagViews } from '../tag.view';

@Controller()
export class ReadTags {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly tags: Tags,
    private readonly known: KnownTag,
    private readonly views: TagViews,
  ) {}

  @Handles(listRegistryTags)
  async list({ project }: ContextOf<typeof listRegistryTags>, input: ParsedOf<typeof listRegistryTags>) {
    this.client.requireSetUp();
    const repository = await this.repositories.get(project.id, input.repository_id);
    const { items, total } = await this.tags.page(repository, input);
    return { items: items.map((tag) => this.views.summary(repository.path, tag)), total };
  }

  @Handles(getRegistryTag)
  async get({ project }: ContextOf<typeof getRegistryTag>, input: ParsedOf<typeof getRegistryTag>) {
    this.client.requireSetUp();
    const repository = await this.repositories.get(project.id, input.repository_id);
    const tag = await this.known.find(repository, input.tag_name);
    if (!tag) throw registryErrors.tagNotFound();
    return this.views.detail(repository.path, tag);
  }
}
