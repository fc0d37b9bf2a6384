import { z } from 'zod';
import { errors, id, internalForCaller, internalOnProject, operation, page } from '../operation';
import { Commit, Diff } from './commit-view';

/*
 * Git operations for merge requests. All of them are sent to the storage of the *target* project, which is in the
 * context; so is the caller, if one acts. Commits of a fork are fetched first, so every returned id exists in the
 * target project from then on.
 *
 * A branch that moves has the event `repository.push`, which consumers with data of merge requests handle.
 */

/** @param head of the source branch, null if the branch does not exist */
export const notHeadMessage = (head: string | null): string =>
  `SHA does not match HEAD of source branch${head === null ? '' : `: ${head}`}`;

export const mergeErrors = errors('merge', {
  notMergeable: {
    status: 406,
    message: 'Branch cannot be merged',
    means: 'The branches conflict, or one was deleted.',
  },
  sourceMoved: {
    status: 409,
    message: 'SHA does not match HEAD of source branch',
    means: 'The source branch has other commits than the caller has seen.',
  },
  notAllowed: { status: 401, message: '401 Unauthorized', means: 'The target branch is protected from this caller.' },
  notFastForward: {
    status: 406,
    message: 'Branch cannot be merged: it needs to be rebased onto the target branch',
    means: 'The project merges by fast-forward only, and the target branch has commits the source lacks.',
  },
});

const sha = z.string().length(40);
/** Limit of merge requests that are found for one commit, lowest numbers first. */
export const mostHeadsWithCommit = 100;
const sides = {
  source_branch: z.string().min(1),
  source_project: z
    .object({ id, storage: z.string() })
    .optional()
    .describe('Where the source branch is; the target project unless given'),
  target_branch: z.string().min(1),
  /**
   * Stores the source's commits under `refs/merge-requests/<iid>/head` of the target, also after the branch is
   * deleted.
   */
  iid: id.optional(),
};

/**
 * Whether one branch can be merged into another, and the facts of the two. `base_sha` is their merge base,
 * `start_sha` the head of the target, `head_sha` the head of the source: `diff_refs` of a merge request. Null if a
 * branch is missing.
 * - `can_be_merged`
 * - `conflict`
 * - `nothing_to_merge`: the target has all commits of the source
 * - `source_missing`, `target_missing`: no such branch
 */
export const mergeability = operation({
  name: 'repository.merge.check',
  access: internalOnProject(),
  input: z.object(sides),
  output: z.object({
    status: z.enum(['can_be_merged', 'conflict', 'nothing_to_merge', 'source_missing', 'target_missing']),
    base_sha: sha.nullable(),
    start_sha: sha.nullable(),
    head_sha: sha.nullable(),
    commits_count: z.int().describe('Commits the target lacks'),
    diverged_commits_count: z.int().describe('Commits the source lacks'),
    can_fast_forward: z.boolean(),
    /** Whether the caller of the context may merge into the target branch, in view of its protection. */
    can_merge: z.boolean(),
  }),
  routedByStorage: true,
  timeoutSeconds: 60,
});

/**
 * Merges in the caller's name. `merge_commit_sha` is null after a fast-forward, `squash_commit_sha` without a squash;
 * `target_sha` is always the target's new head. Idempotent with the same `sha`: a completed merge is answered again.
 * @throws merge.not_mergeable, merge.source_moved, merge.not_fast_forward, merge.not_allowed,
 * repository_content.read_only
 */
export const mergeBranches = operation({
  name: 'repository.merge.perform',
  access: internalForCaller(),
  input: z.object({
    ...sides,
    sha: sha.optional().describe('Only when this still is the tip of the source'),
    message: z.string().min(1),
    method: z.enum(['merge', 'rebase_merge', 'ff']).default('merge').describe('As `merge_method` of projects'),
    squash: z.boolean().default(false),
    squash_message: z.string().min(1).optional(),
    remove_source_branch: z
      .boolean()
      .default(false)
      .describe('Unchanged if it is protected, the default branch, or in a fork'),
  }),
  output: z.object({
    merge_commit_sha: sha.nullable(),
    squash_commit_sha: sha.nullable(),
    target_sha: sha,
    source_branch_removed: z.boolean(),
  }),
  routedByStorage: true,
  timeoutSeconds: 120,
});

/**
 * Rebases the source's commits onto the target and moves the source branch. Sent to the *source* project, which is
 * the one in the context.
 * @throws merge.not_mergeable on a conflict, merge.not_allowed, repository_content.read_only
 */
export const rebaseBranch = operation({
  name: 'repository.merge.rebase',
  access: internalForCaller(),
  input: z.object({
    source_branch: z.string().min(1),
    target_branch: z.string().min(1),
    target_project: z.object({ id, storage: z.string() }).optional(),
  }),
  output: z.object({ sha }),
  routedByStorage: true,
  timeoutSeconds: 120,
});

/** The diff between two commits. `overflow` is true if limits omitted some texts. @throws git.revision_not_found */
export const mergeChanges = operation({
  name: 'repository.merge.changes',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ base_sha: sha, head_sha: sha }),
  output: z.object({ diffs: z.array(Diff), overflow: z.boolean() }),
  routedByStorage: true,
  timeoutSeconds: 60,
});

/** One page of the same files. @throws git.revision_not_found */
export const listMergeChanges = operation({
  name: 'repository.merge.list-changes',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ base_sha: sha, head_sha: sha }),
  output: page(Diff),
  routedByStorage: true,
  timeoutSeconds: 60,
});

/** Commits that `head_sha` has and `base_sha` has not, newest first. @throws git.revision_not_found */
export const mergeCommits = operation({
  name: 'repository.merge.commits',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ base_sha: sha, head_sha: sha }),
  output: page(Commit),
  routedByStorage: true,
});

/**
 * The merge requests of the project whose heads have a commit in their history, as numbers, lowest first; with the id
 * of the commit. Merge requests that were never computed by git are missing.
 * @throws repository_content.commit_not_found
 */
export const mergeHeadsWithCommit = operation({
  name: 'repository.merge.list-heads-with',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ sha: z.string().describe('Commit, branch or tag') }),
  output: z.object({ sha, iids: z.array(id).max(mostHeadsWithCommit) }),
  routedByStorage: true,
  timeoutSeconds: 60,
});

/** The ones of some commits that have a commit in their history, or are it. Missing commits have none. */
export const historiesWithCommit = operation({
  name: 'repository.merge.filter-histories-with',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ sha, among: z.array(sha).max(mostHeadsWithCommit) }),
  output: z.array(sha),
  routedByStorage: true,
  timeoutSeconds: 60,
});

/** Heads of branches; null for missing ones. At most 1,000. */
export const branchTips = operation({
  name: 'repository.merge.tips',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ branches: z.array(z.string()).max(1000) }),
  output: z.array(z.object({ name: z.string(), sha: sha.nullable() })),
  routedByStorage: true,
});
