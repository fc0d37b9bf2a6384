import type { Reachability } from '../history/reachability';
import type { ObjectReader } from '../objects/object-reader';
import { isBranchOrTagName } from '../objects/revision';
import { GitError } from '../process/errors';
import type { RepositoryStorage } from '../storage/storage';
import { matches, type Ref, type RefStore, type RefUpdate } from './refs';

/** A branch; its commit is in `commitId`. */
export interface Branch extends Ref {
  isDefault: boolean;
  /** Whether all its commits are in the default branch, and it is not that branch. */
  isMerged: boolean;
}

/** Branches, derived from a list of refs and the default branch. */
interface Described {
  defaultBranch: string | null;
  branches: Promise<readonly Branch[]>;
}

/** Branches of a repository. @see docs/api/repository.md#7 */
export class BranchStore {
  /** By the array of refs, which is replaced on each change. */
  private readonly described = new WeakMap<readonly Ref[], Described>();

  constructor(
    private readonly refs: RefStore,
    private readonly objects: ObjectReader,
    private readonly reachability: Reachability,
    private readonly storage: Pick<RepositoryStorage, 'defaultBranch' | 'setDefaultBranch'>,
  ) {}

  /** All branches by name, optionally those that match `search` ({@link matches}). */
  async list(repository: string, search?: string): Promise<readonly Branch[]> {
    const defaultBranch = await this.storage.defaultBranch(repository);
    const refs = await this.refs.list(repository, 'heads');
    const branches = await this.describeAll(repository, refs, defaultBranch);
    return search ? branches.filter(({ name }) => matches(name, search)) : branches;
  }

  /** @throws refname_invalid, branch_not_found */
  async get(repository: string, name: string): Promise<Branch> {
    if (!isBranchOrTagName(name)) throw new GitError('refname_invalid');
    const defaultBranch = await this.storage.defaultBranch(repository);
    const ref = await this.refs.find(repository, 'heads', name);
    if (!ref) throw new GitError('branch_not_found');
    const target = defaultBranch && (await this.objects.resolve(repository, `refs/heads/${defaultBranch}`));
    return describe(ref, defaultBranch, await this.merged(repository, target, [ref]));
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

  /** Removes every merged branch that `mayGo` accepts. A branch that is moved or removed meanwhile is skipped. */
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
   * After a push: makes a pushed branch the default branch if that does not exist yet; `main` and `master` are
   * preferred.
   * @returns the default branch that this push created, chosen now or named by HEAD before; null if it already existed
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

  /** Whether a push created all existing branches: it was the first one. */
  private async areAll(repository: string, updates: readonly RefUpdate[]): Promise<boolean> {
    const made = new Set(updates.flatMap(({ refName, before }) => (before === null ? [refName] : [])));
    const branches = await this.refs.list(repository, 'heads');
    return branches.every(({ name }) => made.has(`refs/heads/${name}`));
  }

  private describeAll(
    repository: string,
    refs: readonly Ref[],
    defaultBranch: string | null,
  ): Promise<readonly Branch[]> {
    const known = this.described.get(refs);
    if (known && known.defaultBranch === defaultBranch) return known.branches;
    const target = refs.find(({ name }) => name === defaultBranch)?.commitId ?? null;
    const branches = this.merged(repository, target, refs).then((merged) =>
      refs.map((ref) => describe(ref, defaultBranch, merged)),
    );
    this.described.set(refs, { defaultBranch, branches });
    branches.catch(() => this.described.delete(refs));
    return branches;
  }

  /** The commits of some refs that are in the history of a commit. */
  private async merged(repository: string, target: string | null, refs: readonly Ref[]): Promise<Set<string>> {
    const tips = refs.flatMap(({ commitId }) => commitId ?? []);
    return target ? this.reachability.ancestorsAmong(repository, target, tips) : new Set();
  }
}

function describe(ref: Ref, defaultBranch: string | null, merged: ReadonlySet<string>): Branch {
  const isDefault = ref.name === defaultBranch;
  return { ...ref, isDefault, isMerged: !isDefault && ref.commitId !== null && merged.has(ref.commitId) };
}
