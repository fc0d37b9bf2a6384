import { z } from 'zod';
import { bytes, commaList, get, id, keysetPaging, onProject, operation, page, projectRef } from '../operation';
import { readsCode } from './access';
import { Commit, Diff } from './commit-view';

const readScopes = ['read_repository' as const];

export const TreeEntry = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['tree', 'blob', 'commit']),
  path: z.string(),
  mode: z.string(),
});

/** See docs/api/repository.md#2. */
export const listTree = operation({
  name: 'repository.tree.list',
  onSecondary: 'code',
  refusals: ['repository_content.tree_not_found'],
  summary: 'Files and folders of a repository',
  http: get('/projects/:id/repository/tree'),
  access: readsCode,
  input: z.object({
    ...projectRef,
    path: z.string().default(''),
    ref: z.string().optional().describe('Branch, tag or commit; the default branch unless given'),
    recursive: z.boolean().default(false),
    ...keysetPaging,
  }),
  output: page(TreeEntry),
  routedByStorage: true,
});

/**
 * The file, folder or submodule of an address such as `tree/feature/x/docs`, where only the repository knows where the
 * name of the ref ends: the longest one is preferred. Without text, the root of the default branch.
 */
export const findPath = operation({
  name: 'repository.paths.find',
  onPages: true,
  isRead: true,
  refusals: ['repository_content.tree_not_found', 'repository_content.file_not_found'],
  access: readsCode,
  input: z.object({ ...projectRef, ref_and_path: z.string().max(8192) }),
  output: z.object({
    ref: z.string(),
    path: z.string().describe('Empty for the root'),
    commit_id: z.string(),
    id: z.string(),
    type: z.enum(['tree', 'blob', 'commit']),
    mode: z.string(),
    size: z.int().nullable().describe('Bytes of a file'),
  }),
  routedByStorage: true,
});

export const getBlob = operation({
  name: 'repository.blobs.get',
  onSecondary: 'code',
  description: 'Content in strict Base64.',
  refusals: ['repository_content.blob_not_found'],
  summary: 'A blob, as Base64',
  http: get('/projects/:id/repository/blobs/:sha'),
  access: readsCode,
  input: z.object({ ...projectRef, sha: z.string() }),
  output: z.object({ size: z.int(), encoding: z.literal('base64'), content: z.string(), sha: z.string() }),
  routedByStorage: true,
});

export const getRawBlob = operation({
  name: 'repository.blobs.raw',
  onSecondary: 'code',
  refusals: ['repository_content.blob_not_found'],
  summary: 'The bytes of a blob',
  http: get('/projects/:id/repository/blobs/:sha/raw'),
  access: readsCode,
  scopes: readScopes,
  input: z.object({ ...projectRef, sha: z.string() }),
  output: bytes('text/plain'),
  routedByStorage: true,
});

export const getArchive = operation({
  name: 'repository.archive.get',
  onSecondary: 'code',
  description: 'Streamed while git writes it.',
  refusals: ['git.path_not_found', 'git.format_unsupported'],
  summary: 'The files of a commit as tar or zip',
  http: [get('/projects/:id/repository/archive'), get('/projects/:id/repository/archive.:format')],
  access: readsCode,
  scopes: readScopes,
  input: z.object({
    ...projectRef,
    sha: z.string().optional().describe('Commit, tag or branch; the default branch unless given'),
    format: z.string().optional().describe('tar.gz, tar.bz2, tbz, tbz2, tb2, bz2, tar or zip'),
    path: z.string().optional().describe('Only this folder'),
  }),
  output: bytes(),
  limit: {
    requests: 5,
    seconds: 60,
    setting: 'ARCHIVE_RATE_LIMIT',
    about: 'Archives downloaded',
    message: 'This archive has been requested too many times. Try again later.',
  },
  routedByStorage: true,
});

export const getPatch = operation({
  name: 'repository.patches.get',
  onPages: true,
  isRead: true,
  onSecondary: 'code',
  description: 'Streamed while git writes it.',
  refusals: ['repository_content.commit_not_found'],
  summary: 'Changes as text that git applies',
  access: readsCode,
  input: z.object({
    ...projectRef,
    from: z.string().optional().describe('Commit before the changes; without it only the changes of `to`'),
    to: z.string().describe('Commit with the changes'),
    format: z.enum(['diff', 'patch']).describe('All changes as one diff, or each commit as a mail'),
  }),
  output: bytes('text/plain'),
  routedByStorage: true,
});

/** For administrators. See docs/api/repository.md#16. */
export const getSnapshot = operation({
  name: 'repository.snapshots.get',
  description:
    'A tar of HEAD, all refs and all objects, for administrators: also of a repository that git cannot clone any more.',
  refusals: ['common.not_found'],
  summary: 'A repository as git stores it',
  http: get('/projects/:id/snapshot'),
  access: onProject(),
  input: z.object({
    ...projectRef,
    wiki: z.boolean().default(false).describe('The repository of the wiki instead'),
  }),
  output: bytes('application/x-tar'),
  routedByStorage: true,
});

export const compareRefs = operation({
  name: 'repository.compare.get',
  onSecondary: 'code',
  refusals: ['repository_content.ref_not_found', 'repository_content.not_of_same_forks'],
  summary: 'What one ref has that another has not',
  http: get('/projects/:id/repository/compare'),
  access: readsCode,
  input: z.object({
    ...projectRef,
    from: z.string().min(1),
    to: z.string().min(1),
    straight: z.boolean().default(false).describe('Compare the refs themselves instead of from their merge base'),
    from_project_id: id.optional().describe('A project of the same forks, which `from` is a ref of'),
  }),
  output: z.object({
    commit: Commit.nullable(),
    commits: z.array(Commit),
    diffs: z.array(Diff),
    compare_timeout: z.boolean(),
    compare_same_ref: z.boolean(),
    web_url: z.string(),
  }),
  routedByStorage: true,
});

export const listContributors = operation({
  name: 'repository.contributors.list',
  onSecondary: 'code',
  refusals: ['repository_content.repository_empty'],
  summary: 'Authors of the latest commits of the default branch',
  http: get('/projects/:id/repository/contributors'),
  access: readsCode,
  input: z.object({
    ...projectRef,
    order_by: z.enum(['name', 'email', 'commits']).default('commits'),
    sort: z.enum(['asc', 'desc']).default('asc'),
  }),
  output: page(
    z.object({
      name: z.string(),
      email: z.string(),
      commits: z.int(),
      additions: z.int(),
      deletions: z.int(),
    }),
  ),
  routedByStorage: true,
  timeoutSeconds: 120,
});

export const getMergeBase = operation({
  name: 'repository.merge-base.get',
  onSecondary: 'code',
  refusals: ['git.refs_too_few', 'git.ref_not_found', 'git.refs_not_found', 'git.merge_base_missing'],
  summary: 'The best common ancestor of refs',
  http: get('/projects/:id/repository/merge_base'),
  access: readsCode,
  input: z.object({ ...projectRef, refs: commaList(z.string()) }),
  output: Commit,
  routedByStorage: true,
});
