import type { ObjectReader } from '../objects/object-reader';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { RepositoryStorage } from '../storage/storage';
import type { Ref, RefStore, RefUpdate } from './refs';

/** A branch; its commit is in `commitId`. */
export interface Branch extends Ref {
  isDefault: boolean;
  /** All its commits are in the default branch, and it is not that branch. */
  isMerged: boolean;
}

/** Branches of a repository. @see docs/api/repository.md#7 */
export class BranchStore {
  constructor(
    private readonly refs: RefStore,
    private readonly objects: ObjectReader,
    private readonly storage: Pick<RepositoryStorage, 'defaultBranch' | 'setDefaultBranch'>,
  ) {}

  /** All branches by name, optionally those that match `search` ({@link RefStore.list}). */
  async list(repository: string, search?: string): Promise<Branch[]> {
    const defaultBranch = await this.storage.defaultBranch(repository);
    const [all, merged] = await Promise.all([
      this.refs.list(repository, 'heads', { search }),
      this.mergedNames(repository, defaultBranch),
    ]);
    return all.map((ref) => describe(ref, defaultBranch, merged));
  }

  /** @throws refname_invalid, branch_not_found */
  async get(repository: string, name: string): Promise<Branch> {
    if (!isBranchOrTagName(name)) throw new GitError('refname_invalid');
    const defaultBranch = await this.storage.defaultBranch(repository);
    const ref = await this.refs.find(repository, 'heads', name);
    if (!ref) throw new GitError('branch_not_found');
    return describe(ref, defaultBranch, await this.mergedNames(repository, defaultBranch));
  }

  /** @param from any revision. @throws refname_invalid, branch_exists, revision_unknown, ref_conflict */
  async create(repository: string, name: string, from: string): Promise<Branch> {
    if (!isBranchOrTagName(name)) throw new GitError('refname_invalid');
    const refName = `refs/heads/${name}`;
    if (await this.objects.readRef(repository, refName)) throw new GitError('branch_exists');
    const commit = await this.objects.resolve(repository, from);
    if (!commit) throw new GitError('revision_unknown', from);
    await this.refs.create(repository, refName, commit, new GitError('branch_exists'));
    return this.get(repository, name);
  }

  /** @throws refname_invalid, branch_not_found, default_branch_kept */
  async remove(repository: string, name: string): Promise<Ref> {
    const branch = await this.get(repository, name);
    if (branch.isDefault) throw new GitError('default_branch_kept');
    await this.refs.update(repository, [{ refName: `refs/heads/${name}`, before: branch.targetId, after: null }]);
    return branch;
  }

  /** Removes every merged branch that may go. One that is moved or removed meanwhile is left to who did that. */
  async removeMerged(repository: string, mayGo: (name: string) => boolean): Promise<void> {
    const merged = (await this.list(repository)).filter(({ isMerged, name }) => isMerged && mayGo(name));
    for (const { name, targetId } of merged) {
      await this.refs
        .update(repository, [{ refName: `refs/heads/${name}`, before: targetId, after: null }])
        .catch((error: unknown) => {
          if (!(error instanceof GitError && error.reason === 'ref_moved')) throw error;
        });
    }
  }

  /**
   * After a push: makes a pushed branch the default one where the default branch does not exist yet, `main` and `master`
   * before others.
   * @returns the default branch that came with this push, chosen now or named by HEAD before; null when there was one
   */
  async adoptDefault(repository: string, updates: readonly RefUpdate[]): Promise<string | null> {
    const pushed = updates.flatMap(({ refName, after }) =>
      after ? (/^refs\/heads\/(.+)$/.exec(refName)?.slice(1) ?? []) : [],
    );
    const [first] = pushed;
    const current = await this.storage.defaultBranch(repository);
    if (!first) return null;
    if (current && (await this.objects.readRef(repository, `refs/heads/${current}`)))
      return (await this.areAll(repository, updates)) ? current : null;
    const adopted = ['main', 'master'].find((name) => pushed.includes(name)) ?? first;
    await this.storage.setDefaultBranch(repository, adopted);
    return adopted;
  }

  /** Whether a push made all the branches there are: it was the first one. */
  private async areAll(repository: string, updates: readonly RefUpdate[]): Promise<boolean> {
    const made = new Set(updates.flatMap(({ refName, before }) => (before === null ? [refName] : [])));
    const branches = await this.refs.list(repository, 'heads');
    return branches.every(({ name }) => made.has(`refs/heads/${name}`));
  }

  private async mergedNames(repository: string, defaultBranch: string | null): Promise<Set<string>> {
    const target = defaultBranch && (await this.objects.resolve(repository, `refs/heads/${defaultBranch}`));
    if (!target) return new Set();
    const refs = await this.refs.list(repository, 'heads', { mergedInto: target });
    return new Set(refs.map((ref) => ref.name));
  }
}

function describe(ref: Ref, defaultBranch: string | null, merged: Set<string>): Branch {
  const isDefault = ref.name === defaultBranch;
  return { ...ref, isDefault, isMerged: !isDefault && merged.has(ref.name) };
}
