import { z } from 'zod';
import { get, operation, page, post, projectRef, timestamp } from '../operation';
import { pushesCode, readsCode } from './access';
import { CommitSignature } from './commit-signature';
import { Commit, CommitDetail, CommitStats, Diff } from './commit-view';

const ref = { ...projectRef, sha: z.string().describe('Commit, branch or tag') };

/** See docs/api/repository.md#8. Totals are not counted. */
export const listCommits = operation({
  name: 'repository.commits.list',
  onSecondary: 'code',
  summary: 'History, newest first',
  http: get('/projects/:id/repository/commits'),
  access: readsCode,
  input: z.object({
    ...projectRef,
    ref_name: z.string().optional(),
    since: timestamp.optional(),
    until: timestamp.optional(),
    path: z.string().optional(),
    author: z.string().optional(),
    all: z.boolean().default(false),
    with_stats: z.boolean().default(false),
    first_parent: z.boolean().default(false),
    order: z.enum(['default', 'topo']).default('default'),
    trailers: z.boolean().default(false).describe('Show the trailers of each message'),
  }),
  output: page(
    Commit.extend({
      stats: CommitStats.optional(),
      trailers: z.record(z.string(), z.string()).optional().describe('The last of each name'),
      extended_trailers: z.record(z.string(), z.array(z.string())).optional(),
    }),
  ),
  routedByStorage: true,
});

export const getCommit = operation({
  name: 'repository.commits.get',
  onSecondary: 'code',
  refusals: ['repository_content.commit_not_found'],
  summary: 'One commit',
  http: get('/projects/:id/repository/commits/:sha'),
  access: readsCode,
  input: z.object({ ...ref, stats: z.boolean().default(true) }),
  output: CommitDetail,
  routedByStorage: true,
});

export const getCommitDiff = operation({
  name: 'repository.commits.diff',
  onSecondary: 'code',
  refusals: ['repository_content.commit_not_found'],
  summary: 'Diff of a commit',
  http: get('/projects/:id/repository/commits/:sha/diff'),
  access: readsCode,
  input: z.object(ref),
  output: page(Diff),
  routedByStorage: true,
});

export const listCommitRefs = operation({
  name: 'repository.commits.refs',
  onSecondary: 'code',
  refusals: ['repository_content.commit_not_found'],
  summary: 'Branches and tags that have a commit',
  http: get('/projects/:id/repository/commits/:sha/refs'),
  access: readsCode,
  input: z.object({ ...ref, type: z.enum(['branch', 'tag', 'all']).default('all') }),
  output: page(z.object({ type: z.enum(['branch', 'tag']), name: z.string() })),
  routedByStorage: true,
});

export const getCommitSequence = operation({
  name: 'repository.commits.sequence',
  onSecondary: 'code',
  summary: 'How many commits lead to a commit, itself included',
  refusals: ['repository_content.commit_not_found'],
  http: get('/projects/:id/repository/commits/:sha/sequence'),
  access: readsCode,
  input: z.object({
    ...ref,
    first_parent: z.boolean().default(false).describe('Follow only the first parent of merges'),
  }),
  output: z.object({ count: z.number().int() }),
  routedByStorage: true,
});

/** See docs/api/keys.md#5. */
export const getCommitSignature = operation({
  name: 'repository.commits.signature',
  summary: 'Signature of a commit and its verification',
  refusals: ['repository_content.commit_not_found', 'repository_content.signature_not_found'],
  http: get('/projects/:id/repository/commits/:sha/signature'),
  access: readsCode,
  input: z.object(ref),
  output: CommitSignature,
  routedByStorage: true,
});

const action = z.object({
  action: z.enum(['create', 'delete', 'move', 'update', 'chmod']),
  file_path: z.string().min(1),
  previous_path: z.string().optional(),
  content: z.string().optional(),
  encoding: z.enum(['text', 'base64']).default('text'),
  last_commit_id: z.string().optional(),
  execute_filemode: z.boolean().optional(),
});

export const createCommit = operation({
  name: 'repository.commits.create',
  description: 'Several file changes in one commit.',
  refusals: [
    'git.branch_not_found',
    'git.ref_conflict',
    'git.ref_moved',
    'git.path_invalid',
    'git.file_exists',
    'git.directory_exists',
    'git.file_in_the_way',
    'git.file_missing',
    'git.file_changed',
    'git.content_missing',
    'git.content_invalid',
    'git.author_invalid',
    'git.message_missing',
    'git.actions_missing',
  ],
  summary: 'Commit several file changes',
  http: post('/projects/:id/repository/commits'),
  access: pushesCode,
  input: z.object({
    ...projectRef,
    branch: z.string().min(1),
    commit_message: z.string().min(1),
    actions: z.array(action).max(10_000),
    start_branch: z.string().optional(),
    start_sha: z.string().optional(),
    author_email: z.string().optional(),
    author_name: z.string().optional(),
    stats: z.boolean().default(true),
    force: z.boolean().default(false),
  }),
  output: CommitDetail,
  routedByStorage: true,
});

const pick = z.object({
  ...ref,
  branch: z.string().min(1),
  message: z.string().optional(),
  dry_run: z.boolean().default(false).describe('Only try whether it would apply; nothing is committed'),
});
const Picked = Commit.extend({
  dry_run: z.literal('success').optional().describe('With `dry_run`: the commit is computed and is on no branch'),
});

export const cherryPickCommit = operation({
  name: 'repository.commits.cherry-pick',
  refusals: ['git.merge_conflict', 'git.nothing_to_apply'],
  summary: 'Apply a commit to a branch',
  http: post('/projects/:id/repository/commits/:sha/cherry_pick'),
  access: pushesCode,
  description: 'A `dry_run` answers 200.',
  input: pick,
  output: Picked,
  routedByStorage: true,
});

export const revertCommit = operation({
  name: 'repository.commits.revert',
  refusals: ['git.merge_conflict', 'git.nothing_to_apply'],
  summary: 'Take a commit back on a branch',
  http: post('/projects/:id/repository/commits/:sha/revert'),
  access: pushesCode,
  description: 'A `dry_run` answers 200.',
  input: pick,
  output: Picked,
  routedByStorage: true,
});
