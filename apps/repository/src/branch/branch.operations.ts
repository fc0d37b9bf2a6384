import {
  type ContextOf,
  createBranch,
  deleteBranch,
  deleteMergedBranches,
  getBranch,
  listBranches,
  type ParsedOf,
  type ProjectRef,
  window,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { Branch } from '../git/branches';
import { requireWritable } from '../repository/code-writer';
import { PushEvents } from '../repository/push-events';
import type { RepositorySettings } from '../settings';
import { type Located, Storages } from '../storage/storages';
import { viewBranch } from './branch.view';

@Controller()
export class BranchOperations {
  constructor(
    private readonly storages: Storages,
    private readonly events: PushEvents,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  @Handles(listBranches)
  async list({ project }: ContextOf<typeof listBranches>, input: ParsedOf<typeof listBranches>) {
    const located = this.storages.locate(project);
    const branches = await located.engine.branches.list(located.path, input.search);
    const { skip, limit } = window(input);
    const items = branches.slice(skip, skip + limit).map((branch) => this.view(located, project, branch));
    return { items: await Promise.all(items), total: branches.length };
  }

  @Handles(getBranch)
  async get({ project }: ContextOf<typeof getBranch>, { branch }: ParsedOf<typeof getBranch>) {
    const located = this.storages.locate(project);
    return this.view(located, project, await located.engine.branches.get(located.path, branch));
  }

  @Handles(createBranch)
  async create({ project, caller }: ContextOf<typeof createBranch>, { branch, ref }: ParsedOf<typeof createBranch>) {
    requireWritable(project);
    const located = this.storages.locate(project);
    const created = await located.engine.branches.create(located.path, branch, ref);
    const update = { refName: `refs/heads/${created.name}`, before: null, after: created.targetId };
    await this.events.announce(located, project, caller, [update]);
    return this.view(located, project, created);
  }

  @Handles(deleteBranch)
  async remove({ project, caller }: ContextOf<typeof deleteBranch>, { branch }: ParsedOf<typeof deleteBranch>) {
    requireWritable(project);
    const located = this.storages.locate(project);
    const removed = await located.engine.branches.remove(located.path, branch);
    const update = { refName: `refs/heads/${removed.name}`, before: removed.targetId, after: null };
    await this.events.announce(located, project, caller, [update]);
  }

  @Handles(deleteMergedBranches)
  async removeMerged({ project, caller }: ContextOf<typeof deleteMergedBranches>) {
    requireWritable(project);
    const located = this.storages.locate(project);
    const merged = (await located.engine.branches.list(located.path)).filter((branch) => branch.isMerged);
    for (const { name } of merged) await located.engine.branches.remove(located.path, name);
    const updates = merged.map(({ name, targetId }) => ({
      refName: `refs/heads/${name}`,
      before: targetId,
      after: null,
    }));
    await this.events.announce(located, project, caller, updates);
    return { message: '202 Accepted' };
  }

  private async view({ engine, path }: Located, project: ProjectRef, branch: Branch) {
    const commit = await engine.commits.get(path, branch.commitId!);
    return viewBranch(branch, commit!, project, this.settings.EXTERNAL_URL);
  }
}
