import { randomUUID } from 'node:crypto';
import { Outbox } from '@moothall/database';
import { type JobHandler, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { RegistryClient } from '../registry-client/registry-client';
import { ContainerRepositories } from '../repository/container-repository.repository';
import { RemoveTags, removalSize } from '../tag/remove-tags';
import { Tags } from '../tag/tag.repository';

interface Removal {
  repositoryId: number;
}

export const repositoryRemovals = jobQueue<Removal>({ name: 'registry.repository-removals', concurrency: 2 });

/** Deletes repositories with all their tags. After a crash at any line, it continues with the rest. */
@Injectable()
export class RemoveRepository {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly tags: Tags,
    private readonly removeTags: RemoveTags,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  /** Queues a stored removal; if Redis is down, the periodic job queues it. */
  queue(repositoryId: number): Promise<void> {
    const job = this.jobs.add(repositoryRemovals, { repositoryId }, { id: `remove-${repositoryId}` });
    return this.outbox.promptly(job);
  }

  @WorksOn(repositoryRemovals)
  async run({ repositoryId }: Removal, job: Parameters<JobHandler<Removal>>[1]): Promise<void> {
    const repository = await this.repositories.find(repositoryId);
    if (repository?.status !== 'delete_scheduled') return;
    // A client with an earlier token may push during the removal.
    for (;;) {
      const names = await this.client.tagNames(repository.path);
      if (names.length === 0) break;
      const pageSize = removalSize(names.length);
      for (let at = 0; at < names.length; at += pageSize) {
        const page = names.slice(at, at + pageSize).map((name) => ({ name }));
        await this.removeTags.remove(repository.path, page, randomUUID());
        await job.updateProgress(Number(job.progress) + 1);
      }
    }
    await this.tags.removeOfRepository(repositoryId);
    await this.repositories.remove(repositoryId);
  }
}
