import {
  Access,
  type Caller,
  type ContextOf,
  createBranch,
  deleteBranch,
  deleteMergedBranches,
  getBranch,
  listBranches,
  only,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  protectBranch,
  protectionErrors,
  unprotectBranch,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { Branch } from '../../git/refs/branches';
import { newProtection } from '../../protection/new-protection';
import { ProtectedRefs } from '../../protection/protected-ref.repository';
import { actorOf } from '../../protection/protections';
import { CodeWriter } from '../../push/code-writer';
import { type Located, Storages } from '../../storage/storages';
import { viewBranch } from './branch.view';

interface Viewing {
  project: ProjectRef;
  caller?: Caller | undefined;
}

@Controller()
export class BranchOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
    private readonly refs: ProtectedRefs,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(listBranches)
  async list(context: ContextOf<typeof listBranches>, input: ParsedOf<typeof listBranches>) {
    const { engine, path } = this.storages.locate(context.project);
    const { items, total } = pageOf(await engine.branches.list(path, input.search), input);
    return { items: await this.viewAll(context, items), total };
  }

  @Handles(getBranch)
  async get(context: ContextOf<typeof getBranch>, { branch }: ParsedOf<typeof getBranch>) {
    const { engine, path } = this.storages.locate(context.project);
    return this.viewOne(context, await engine.branches.get(path, branch));
  }

  @Handles(createBranch)
  async create(context: ContextOf<typeof createBranch>, { branch, ref }: ParsedOf<typeof createBranch>) {
    await this.writer.requirePush(context, branch);
    const begun = await this.begin(context, ref);
    const create = ({ engine, path }: Located) =>
      begun === branch ? engine.branches.get(path, branch) : engine.branches.create(path, branch, ref);
    return this.viewOne(context, await this.writer.change(context, create));
  }

  @Handles(deleteBranch)
  async remove(context: ContextOf<typeof deleteBranch>, { branch }: ParsedOf<typeof deleteBranch>) {
    await this.writer.change(context, async ({ engine, path }) => {
      const { isDefault, name } = await engine.branches.get(path, branch);
      const protections = await this.refs.readProtections(context.project.id, { kind: 'branch', names: [name] });
      if (!isDefault && protections.isProtected('branch', name)) throw protectionErrors.branchKept();
      await engine.branches.remove(path, branch);
    });
  }

  @Handles(deleteMergedBranches)
  async removeMerged(context: ContextOf<typeof deleteMergedBranches>) {
    const protections = await this.refs.readProtections(context.project.id);
    await this.writer.change(context, ({ engine, path }) =>
      engine.branches.removeMerged(path, (name) => !protections.isProtected('branch', name)),
    );
    return { message: '202 Accepted' };
  }

  @Handles(protectBranch)
  async protect(context: ContextOf<typeof protectBranch>, input: ParsedOf<typeof protectBranch>) {
    const { engine, path } = this.storages.locate(context.project);
    const branch = await engine.branches.get(path, input.branch);
    const level = (developersToo = false) => [developersToo ? Access.Developer : Access.Maintainer];
    await this.refs.put(
      newProtection(context.project.id, 'branch', branch.name, {
        pushLevels: level(input.developers_can_push),
        mergeLevels: level(input.developers_can_merge),
      }),
    );
    return this.viewOne(context, branch);
  }

  @Handles(unprotectBranch)
  async unprotect(context: ContextOf<typeof unprotectBranch>, input: ParsedOf<typeof unprotectBranch>) {
    const { engine, path } = this.storages.locate(context.project);
    const branch = await engine.branches.get(path, input.branch);
    await this.refs.remove(context.project.id, 'branch', branch.name);
    return this.viewOne(context, branch);
  }

  /**
   * Adds an empty README.md as the first commit of an empty repository, so that a branch can be created.
   * @returns the default branch if it was created by this call
   */
  private async begin(context: ContextOf<typeof createBranch>, ref: string): Promise<string | null> {
    const { engine, path } = this.storages.locate(context.project);
    const first = (await engine.storage.defaultBranch(path)) ?? 'main';
    if ((ref !== first && ref !== 'HEAD') || (await engine.objects.resolve(path, ref))) return null;
    if ((await engine.refs.list(path, 'heads')).length > 0) return null;
    const actions = [{ action: 'create' as const, filePath: 'README.md', content: '' }];
    await this.writer.commit(context, { branch: first, message: 'Add README.md', actions });
    return first;
  }

  private async viewOne(context: Viewing, branch: Branch) {
    return only(await this.viewAll(context, [branch]));
  }

  private async viewAll({ project, caller }: Viewing, branches: Branch[]) {
    const { engine, path } = this.storages.locate(project);
    const names = branches.map(({ name }) => name);
    const protections = await this.refs.readShown(project.id, { kind: 'branch', names });
    return Promise.all(
      branches.map(async (branch) => {
        const commit = await engine.commits.require(path, branch.commitId ?? branch.targetId);
        return viewBranch(branch, commit, {
          project,
          protections,
          actor: actorOf(project, caller),
          externalUrl: this.settings.EXTERNAL_URL,
        });
      }),
    );
  }
}
