import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Outbox } from '@moothall/database';
import { type JobHandler, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { readDeletionRules } from '../deletion-plan/deletion-rules';
import { concerns, planDeletion } from '../deletion-plan/plan-deletion';
import { ProtectionRules } from '../protection/protection-rules';
import { ReconcileTags } from '../reconciliation/reconcile-tags';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { BulkDeletion, ContainerRepository } from '../repository/container-repository.schema';
import { RemoveTags } from '../tag/remove-tags';
import { type PlannedTag, Tags } from '../tag/tag.repository';
import type { DeletionPage } from './deletion-page.schema';
import { DeletionPages } from './deletion-pages.repository';
import { RestoreTag } from './restore-tag';

/** Other work gets a turn after so long, however long the patterns take for a name. */
const turnMs = 10;

interface Deletion {
  repositoryId: number;
}

export const bulkDeletions = jobQueue<Deletion>({ name: 'registry.bulk-deletions', concurrency: 2 });

/**
 * Deletes tags by rules. The plan is computed once and stored, then executed page by page: after a kill at any line, it continues
 * with the page it was at. See docs/adr/0010-container-registry.md.
 */
@Injectable()
export class RunBulkDeletion {
  constructor(
    private readonly repositories: ContainerRepositories,
    private readonly tags: Tags,
    private readonly pages: DeletionPages,
    private readonly protection: ProtectionRules,
    private readonly reconcile: ReconcileTags,
    private readonly removeTags: RemoveTags,
    private readonly restore: RestoreTag,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  /** Queues a stored deletion of a repository; if Redis is down, the periodic job queues it. */
  queue(repositoryId: number): Promise<void> {
    const job = this.jobs.add(bulkDeletions, { repositoryId }, { id: `delete-${repositoryId}` });
    return this.outbox.promptly(job);
  }

  @WorksOn(bulkDeletions)
  async run({ repositoryId }: Deletion, job: Parameters<JobHandler<Deletion>>[1]): Promise<void> {
    const repository = await this.repositories.find(repositoryId);
    const deletion = repository?.bulkDeletion;
    if (!deletion) return;
    const planId = deletion.planId ?? (await this.plan(repository, deletion));
    // Another process has made a plan meanwhile.
    if (planId === undefined) return this.run({ repositoryId }, job);
    for (;;) {
      const page = await this.pages.begin(planId, new Date());
      if (!page) break;
      await this.deletePage(repository, page);
      await job.updateProgress(page.number + 1);
    }
    await this.repositories.endBulkDeletion(repositoryId, deletion.id);
  }

  private async plan(repository: ContainerRepository, deletion: BulkDeletion): Promise<string | undefined> {
    // Tags without a notification count as well.
    await this.reconcile.reconcile(repository);
    const rules = readDeletionRules(deletion.rules);
    const isKept = (await this.protection.of(repository.projectId)).keptTags(repository.path, deletion.rank ?? 0);
    const concerned: (PlannedTag & { createdAt: Date | null })[] = [];
    let turnEndsAt = performance.now() + turnMs;
    for await (const { name, digest, imageCreatedAt } of this.tags.each(repository._id)) {
      if (concerns(rules, name) && !isKept(name)) concerned.push({ name, digest, createdAt: imageCreatedAt });
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + turnMs;
    }
    const planId = randomUUID();
    await this.pages.addPlan(planId, repository._id, planDeletion(concerned, rules, deletion.requestedAt));
    return (await this.repositories.choosePlan(repository._id, deletion.id, planId)) ? planId : undefined;
  }

  private async deletePage(repository: ContainerRepository, page: DeletionPage): Promise<void> {
    const removed = await this.removeTags.remove(repository.path, page.tags, page._id);
    await this.tags.forgetPlanned(repository._id, removed);
    // Pushed between reading a tag and deleting it.
    const names = removed.map(({ name }) => name);
    for (const tag of await this.tags.findAll(repository._id, names)) await this.restore.restore(repository, tag);
    await this.pages.end(page._id);
  }
}
