import type { getRegistryRepository, OutputOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { RegistryClient } from '../../registry-client/registry-client';
import { Tags } from '../../tag/tag.repository';
import { TagViews } from '../../tag/tag.view';
import type { ContainerRepository } from '../container-repository.schema';

/** Limit of shown tags; the list of tags has all. See docs/api/registry.md#3. */
const mostTags = 1000;

/** API views of image repositories. */
@Injectable()
export class RepositoryViews {
  constructor(
    private readonly client: RegistryClient,
    private readonly tags: Tags,
    private readonly tagViews: TagViews,
  ) {}

  async show(
    repository: ContainerRepository,
    asked: { tags: boolean; tags_count: boolean },
  ): Promise<OutputOf<typeof getRegistryRepository>> {
    const { _id, name, path, projectId, createdAt, cleanupStartedAt, status } = repository;
    return {
      id: _id,
      name,
      path,
      project_id: projectId,
      location: `${this.client.host}/${path}`,
      created_at: createdAt.toISOString(),
      cleanup_policy_started_at: cleanupStartedAt?.toISOString() ?? null,
      status,
      ...(asked.tags_count && { tags_count: await this.tags.count(repository) }),
      ...(asked.tags && {
        tags: (await this.tags.first(_id, mostTags)).map((tag) => this.tagViews.summary(path, tag)),
      }),
    };
  }
}
