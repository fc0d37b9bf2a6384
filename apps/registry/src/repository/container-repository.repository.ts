import { type Page, registryErrors } from '@moothall/contracts';
import { Counters, containing, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { BulkDeletion, ContainerRepository } from './container-repository.schema';

/** An image name and its owner. */
export type Claim = Pick<ContainerRepository, 'path' | 'projectId' | 'name'>;

interface Wanted {
  name?: string | undefined;
  page: number;
  per_page: number;
}

/** Queries on image repositories. */
@Injectable()
export class ContainerRepositories {
  constructor(
    @InjectModel('ContainerRepository') private readonly repositories: Model<ContainerRepository>,
    private readonly counters: Counters,
  ) {}

  find(id: number): Promise<ContainerRepository | null> {
    return this.repositories.findById(id).lean<ContainerRepository>();
  }

  /** Of all projects, by ascending id; without those to be removed. */
  shownAbove(_id: number, limit: number): Promise<ContainerRepository[]> {
    const shown = { _id: { $gt: _id }, isShown: true, status: null } as const;
    return this.repositories.find(shown).sort({ _id: 1 }).limit(limit).lean<ContainerRepository[]>();
  }

  /** Estimated count from collection metadata. */
  count(): Promise<number> {
    return this.repositories.estimatedDocumentCount();
  }

  findByPath(path: string): Promise<ContainerRepository | null> {
    return this.repositories.findOne({ path }).lean<ContainerRepository>();
  }

  /** @throws container_registry.repository_not_found */
  async get(projectId: number, id: number): Promise<ContainerRepository> {
    const repository = await this.find(id);
    if (!repository?.isShown || repository.projectId !== projectId) throw registryErrors.repositoryNotFound();
    return repository;
  }

  /** By id. @param name part of the path */
  page(projectIds: readonly number[], { name, ...input }: Wanted): Promise<Page<ContainerRepository>> {
    const [first = 0, ...more] = projectIds;
    const projectId = more.length === 0 ? first : { $in: [first, ...more] };
    const filter: QueryFilter<ContainerRepository> = { projectId, isShown: true };
    return findPage(
      this.repositories,
      name === undefined ? filter : { ...filter, path: containing(name) },
      { _id: 1 },
      input,
    );
  }

  /** Reserves a name for a project, unless another one has it. @returns the record of its owner */
  async claim(claim: Claim): Promise<ContainerRepository> {
    const known = await this.findByPath(claim.path);
    if (known) return known;
    const id = await this.counters.next('container_repositories');
    try {
      const created = await this.repositories.create({ _id: id, ...claim });
      return created.toObject() as ContainerRepository;
    } catch (error) {
      // A concurrent push was first.
      const first = isDuplicateKey(error, 'path') ? await this.findByPath(claim.path) : null;
      if (!first) throw error;
      return first;
    }
  }

  /** Records a change of the tags. @param isShown whether it becomes visible */
  async noteChange(id: number, isShown: boolean): Promise<void> {
    await this.repositories.updateOne(
      { _id: id },
      { $inc: { tagsVersion: 1 }, ...(isShown && { $set: { isShown: true } }) },
    );
  }

  /** Stores the number of tags at a version; only the current version counts. */
  async noteCount(id: number, version: number, count: number): Promise<void> {
    await this.repositories.updateOne({ _id: id, tagsVersion: version }, { $set: { tagsCount: { version, count } } });
  }

  /** @returns false if a deletion is running, or was requested after that time */
  async beginBulkDeletion(id: number, deletion: BulkDeletion, unlessAfter: Date): Promise<boolean> {
    const { matchedCount } = await this.repositories.updateOne(
      {
        _id: id,
        status: null,
        bulkDeletion: null,
        $or: [{ bulkDeletedAt: null }, { bulkDeletedAt: { $lte: unlessAfter } }],
      },
      { $set: { bulkDeletion: deletion, bulkDeletedAt: deletion.requestedAt, isPending: true } },
    );
    return matchedCount > 0;
  }

  /** Once for each run of a policy. @returns false if another deletion is running */
  async beginCleanup(id: number, deletion: BulkDeletion, runAt: Date): Promise<boolean> {
    const { modifiedCount } = await this.repositories.updateOne(
      {
        _id: id,
        status: null,
        bulkDeletion: null,
        $or: [{ cleanupStartedAt: null }, { cleanupStartedAt: { $lt: runAt } }],
      },
      { $set: { bulkDeletion: deletion, cleanupStartedAt: deletion.requestedAt, isPending: true } },
    );
    return modifiedCount > 0;
  }

  /** Repositories of a project that a run of its policy has not started with. */
  uncleaned(projectId: number, runAt: Date): Promise<ContainerRepository[]> {
    const before = [{ cleanupStartedAt: null }, { cleanupStartedAt: { $lt: runAt } }];
    return this.repositories
      .find({ projectId, isShown: true, status: null, $or: before })
      .lean<ContainerRepository[]>();
  }

  /** Whether any image name of the project has this prefix. */
  async hasNamedFrom(projectId: number, start: string): Promise<boolean> {
    return (await this.repositories.exists({ projectId, path: { $gte: start, $lt: `${start}\uffff` } })) !== null;
  }

  /** @returns false if it already has another plan */
  async choosePlan(id: number, deletionId: string, planId: string): Promise<boolean> {
    const { matchedCount } = await this.repositories.updateOne(
      { _id: id, 'bulkDeletion.id': deletionId, 'bulkDeletion.planId': null },
      { $set: { 'bulkDeletion.planId': planId } },
    );
    return matchedCount > 0;
  }

  async endBulkDeletion(id: number, deletionId: string): Promise<void> {
    const ended = { _id: id, 'bulkDeletion.id': deletionId };
    await this.repositories.updateOne({ ...ended, status: null }, { $set: { bulkDeletion: null, isPending: false } });
    // The whole repository is to be deleted by now.
    await this.repositories.updateOne(ended, { $set: { bulkDeletion: null } });
  }

  async scheduleRemoval(id: number): Promise<void> {
    await this.repositories.updateOne({ _id: id }, { $set: { status: 'delete_scheduled', isPending: true } });
  }

  /** @returns ids of the repositories */
  async scheduleRemovalOfProject(projectId: number): Promise<number[]> {
    await this.repositories.updateMany({ projectId }, { $set: { status: 'delete_scheduled', isPending: true } });
    const found = await this.repositories.find({ projectId }).select({ _id: 1 }).lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  pending(): AsyncIterable<ContainerRepository> {
    return this.repositories.find({ isPending: true }).lean<ContainerRepository>().cursor();
  }

  async remove(id: number): Promise<void> {
    await this.repositories.deleteOne({ _id: id });
  }

  /** Frees a reserved name without a push. */
  async removeUnused(id: number): Promise<void> {
    await this.repositories.deleteOne({ _id: id, isShown: false });
  }

  /** Repositories that were not compared with the registry since then, longest first. */
  unreconciled(since: Date, limit: number): Promise<ContainerRepository[]> {
    return this.repositories
      .find({ $or: [{ reconciledAt: null }, { reconciledAt: { $lt: since } }] })
      .sort({ reconciledAt: 1 })
      .limit(limit)
      .lean<ContainerRepository[]>();
  }

  async noteReconciled(id: number, at: Date | null): Promise<void> {
    await this.repositories.updateOne({ _id: id }, { $set: { reconciledAt: at } });
  }
}
