import { z } from 'zod';
import { del, get, nothing, operation, page, post, projectRef } from '../operation';
import { pushesCode, readsCode } from './access';
import { Commit } from './commit-view';

/** See docs/api/repository.md#7. */
export const Branch = z.object({
  name: z.string(),
  commit: Commit,
  merged: z.boolean(),
  protected: z.boolean(),
  developers_can_push: z.boolean(),
  developers_can_merge: z.boolean(),
  can_push: z.boolean(),
  default: z.boolean(),
  web_url: z.string(),
});

const ref = { ...projectRef, branch: z.string() };

export const listBranches = operation({
  name: 'repository.branches.list',
  onSecondary: 'code',
  summary: 'Branches by name',
  http: get('/projects/:id/repository/branches'),
  access: readsCode,
  input: z.object({ ...projectRef, search: z.string().optional().describe('Contains; ^starts with; ends with$') }),
  output: page(Branch),
  routedByStorage: true,
});

export const getBranch = operation({
  name: 'repository.branches.get',
  onSecondary: 'code',
  refusals: ['git.refname_invalid', 'git.branch_not_found'],
  summary: 'One branch',
  http: get('/projects/:id/repository/branches/:branch'),
  access: readsCode,
  input: z.object(ref),
  output: Branch,
  routedByStorage: true,
});

export const createBranch = operation({
  name: 'repository.branches.create',
  refusals: ['git.refname_invalid', 'git.branch_exists', 'git.revision_unknown', 'git.ref_conflict'],
  summary: 'Start a branch',
  http: post('/projects/:id/repository/branches'),
  access: pushesCode,
  input: z.object({ ...projectRef, branch: z.string().min(1), ref: z.string().min(1) }),
  output: Branch,
  routedByStorage: true,
});

export const deleteBranch = operation({
  name: 'repository.branches.delete',
  refusals: ['git.branch_not_found', 'git.default_branch_kept'],
  summary: 'Delete a branch',
  http: del('/projects/:id/repository/branches/:branch'),
  access: pushesCode,
  input: z.object(ref),
  output: nothing(),
  routedByStorage: true,
});

export const deleteMergedBranches = operation({
  name: 'repository.branches.delete-merged',
  description: 'Deletes branches that are merged into the default branch, in the background.',
  summary: 'Delete merged branches',
  http: del('/projects/:id/repository/merged_branches', { success: 202 }),
  access: pushesCode,
  input: z.object(projectRef),
  output: z.object({ message: z.string() }),
  routedByStorage: true,
});
