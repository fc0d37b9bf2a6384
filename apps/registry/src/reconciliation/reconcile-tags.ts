import { randomUUID } from 'node:crypto';
import { eachAlone, eachConcurrently, PeriodicJob } from '@moothall/background';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { RegistryClient } from '../registry-client/registry-client';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { ContainerRepository } from '../repository/container-repository.schema';
import type { RegistrySettings } from '../settings/settings';
import { LookAtTag } from '../tag/look-at-tag';
import { RemoveTags, removalSize } from '../tag/remove-tags';
import { type PlannedTag, Tags } from '../tag/tag.repository';

/** Batch size; each repository needs one list, however many tags it has. */
const batch = 50;
const againAfterMs = 600_000;
/** A reserved name without a push expires after this time. */
const unusedAfterMs = 24 * 3_600_000;
/** Concurrent requests to the registry. */
const atOnce = 8;

/** Compares the stored tags with the registry's list, which repairs lost notifications. */
@Injectable()
export class ReconcileTags {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly tags: Tags,
    private readonly lookAt: LookAtTag,
    private readonly removeTags: RemoveTags,
    @Inject(settingsToken) private readonly settings: RegistrySettings,
  ) {}

  @PeriodicJob('tags of the registry', { everySeconds: 30 })
  async runAll(signal?: AbortSignal): Promise<void> {
    if (!this.settings.REGISTRY_URL) return;
    const due = await this.repositories.unreconciled(new Date(Date.now() - againAfterMs), batch);
    const reconcile = (repository: ContainerRepository) =>
      this.reconcile(repository).catch(async (error: unknown) => {
        // A repository that always fails must not block others.
        await this.repositories.noteReconciled(repository._id, new Date());
        throw error;
      });
    await eachAlone(due, reconcile, signal);
  }

  /** @throws container_registry.unreachable */
  async reconcile(repository: ContainerRepository): Promise<void> {
    const beganAt = new Date();
    const { _id, path } = repository;
    const listed = await this.client.tagNames(path);
    const unknown = new Set(listed);
    const gone: string[] = [];
    for await (const { name } of this.tags.each(_id)) if (!unknown.delete(name)) gone.push(name);
    const left: PlannedTag[] = [];
    await eachConcurrently([...gone, ...unknown], atOnce, async (name) => {
      const { tag, digest = '' } = await this.lookAt.look(repository, name);
      if (!tag && unknown.has(name)) left.push({ name, digest });
    });
    await this.removeLeft(repository, left);
    if (listed.length === 0 && !repository.isShown && isLongAgo(repository.createdAt))
      await this.repositories.removeUnused(_id);
    else await this.repositories.noteReconciled(_id, beganAt);
  }

  /** Removes tags without an image, which interrupted deletions leave. */
  private async removeLeft({ path, isPending }: ContainerRepository, left: PlannedTag[]): Promise<void> {
    // A running deletion removes them itself.
    if (isPending) return;
    const pageSize = removalSize(left.length);
    for (let at = 0; at < left.length; at += pageSize)
      await this.removeTags.remove(path, left.slice(at, at + pageSize), randomUUID());
  }
}

const isLongAgo = (time: Date): boolean => time.getTime() < Date.now() - unusedAfterMs;
