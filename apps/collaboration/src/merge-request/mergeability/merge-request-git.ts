import {
  branchProtection,
  branchTips,
  type Caller,
  historiesWithCommit,
  type InputOf,
  isError,
  listMergeChanges,
  mergeability,
  mergeBranches,
  mergeChanges,
  mergeCommits,
  mergeErrors,
  mergeHeadsWithCommit,
  type OutputOf,
  type ProjectRef,
  rebaseBranch,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ParentDirectory } from '../../parent/parent-directory';
import type { MergeRequestDocument } from '../record/merge-request.schema';

/** Git's answer about two branches. */
export type BranchFacts = OutputOf<typeof mergeability>;

type Branches = Pick<MergeRequestDocument, 'sourceProjectId' | 'sourceBranch' | 'targetBranch'> & { iid?: number };
type Range = Pick<MergeRequestDocument, 'baseSha' | 'headSha'>;
type Paging = { page?: number; per_page?: number };
type Merge = Omit<InputOf<typeof mergeBranches>, 'source_branch' | 'source_project' | 'target_branch' | 'iid'>;

const withoutSource: BranchFacts = {
  status: 'source_missing',
  base_sha: null,
  start_sha: null,
  head_sha: null,
  commits_count: 0,
  diverged_commits_count: 0,
  can_fast_forward: false,
  can_merge: false,
};
const commitGone = { code: 'git.revision_not_found' };
const nothingListed = { items: [], total: 0 };
const noChanges: OutputOf<typeof mergeChanges> = { diffs: [], overflow: false };

/** Answers for a commit that no longer exists. */
const unlessGone =
  <T>(answer: T) =>
  (error: unknown): T => {
    if (isError(error, commitGone)) return answer;
    throw error;
  };

/** Calls the repository service on the storage of the target project. */
@Injectable()
export class MergeRequestGit {
  constructor(
    private readonly client: OperationClient,
    private readonly parents: ParentDirectory,
  ) {}

  /** @param caller whose permission to merge is returned; false if absent */
  async check(branches: Branches, target: ProjectRef, caller?: Caller): Promise<BranchFacts> {
    const sides = await this.findSides(branches, target);
    return sides ? this.client.call(mergeability, sides, { project: target, caller }) : withoutSource;
  }

  /** Current heads of both branches; null for a missing branch. Much cheaper than {@link check}. */
  async readTips(branches: Branches, target: ProjectRef): Promise<{ source: string | null; target: string | null }> {
    const { sourceBranch, targetBranch } = branches;
    if (branches.sourceProjectId === target.id) {
      const [source, onto] = await this.readTipsOf([sourceBranch, targetBranch], target);
      return { source: source ?? null, target: onto ?? null };
    }
    const fork = await this.findFork(branches.sourceProjectId);
    const [[source], [onto]] = await Promise.all([
      fork ? this.readTipsOf([sourceBranch], fork) : [],
      this.readTipsOf([targetBranch], target),
    ]);
    return { source: source ?? null, target: onto ?? null };
  }

  private async readTipsOf(branches: string[], project: ProjectRef): Promise<(string | null)[]> {
    const tips = await this.client.call(branchTips, { branches }, { project });
    return branches.map((branch) => tips.find(({ name }) => name === branch)?.sha ?? null);
  }

  /** Whether the caller may merge into a branch, including its protection. */
  async canMerge(branch: string, target: ProjectRef, caller: Caller | undefined): Promise<boolean> {
    if (!caller) return false;
    const [protection] = await this.client.call(branchProtection, { branches: [branch] }, { project: target, caller });
    return protection?.can_merge ?? false;
  }

  /** @throws merge.not_mergeable, merge.source_moved, merge.not_fast_forward, merge.not_allowed */
  async merge(branches: Branches, target: ProjectRef, caller: Caller, how: Merge) {
    const sides = await this.findSides(branches, target);
    if (!sides) throw mergeErrors.notMergeable();
    return this.client.call(mergeBranches, { ...sides, ...how }, { project: target, caller });
  }

  /** @throws merge.not_mergeable when a commit conflicts, merge.not_allowed */
  async rebase({ sourceBranch, targetBranch }: Branches, source: ProjectRef, target: ProjectRef, caller: Caller) {
    const { id, storage } = target;
    const elsewhere = source.id === id ? {} : { target_project: { id, storage } };
    const branches = { source_branch: sourceBranch, target_branch: targetBranch, ...elsewhere };
    return this.client.call(rebaseBranch, branches, { project: source, caller });
  }

  /** All changed files; none if a side no longer exists. */
  async readChanges({ baseSha, headSha }: Range, target: ProjectRef) {
    if (!baseSha || !headSha) return noChanges;
    const range = { base_sha: baseSha, head_sha: headSha };
    return this.client.call(mergeChanges, range, { project: target }).catch(unlessGone(noChanges));
  }

  /** A page of the changed files; none if a side no longer exists. */
  async listChanges({ baseSha, headSha }: Range, target: ProjectRef, paging: Paging) {
    if (!baseSha || !headSha) return nothingListed;
    const range = { base_sha: baseSha, head_sha: headSha, ...paging };
    return this.client.call(listMergeChanges, range, { project: target }).catch(unlessGone(nothingListed));
  }

  /** Newest first; empty if a side no longer exists, as after a forced push and garbage collection. */
  async listCommits({ baseSha, headSha }: Range, target: ProjectRef, paging: Paging) {
    if (!baseSha || !headSha) return nothingListed;
    const range = { base_sha: baseSha, head_sha: headSha, ...paging };
    return this.client.call(mergeCommits, range, { project: target }).catch(unlessGone(nothingListed));
  }

  /**
   * Numbers of merge requests whose head contains a commit, and the commit's id. @throws
   * repository_content.commit_not_found
   */
  async listHeadsWith(revision: string, target: ProjectRef) {
    return this.client.call(mergeHeadsWithCommit, { sha: revision }, { project: target });
  }

  /** Those of some commits whose history contains a commit. */
  async findHistoriesWith(sha: string, among: string[], target: ProjectRef): Promise<Set<string>> {
    if (among.length === 0) return new Set();
    return new Set(await this.client.call(historiesWithCommit, { sha, among }, { project: target }));
  }

  /** @returns undefined if the source fork was deleted */
  private async findSides({ sourceProjectId, sourceBranch, targetBranch, iid }: Branches, target: ProjectRef) {
    const sides = { source_branch: sourceBranch, target_branch: targetBranch, ...(iid !== undefined && { iid }) };
    if (sourceProjectId === target.id) return sides;
    const source = await this.findFork(sourceProjectId);
    return source && { ...sides, source_project: { id: source.id, storage: source.storage } };
  }

  private async findFork(projectId: number | null): Promise<ProjectRef | undefined> {
    return projectId === null ? undefined : (await this.parents.findProjects([projectId])).get(projectId);
  }
}
