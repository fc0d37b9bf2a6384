import { z } from 'zod';
import { id, internalOnProject, operation } from '../operation';

const isAdmin = z
  .boolean()
  .default(false)
  .describe('Whether the caller is an administrator; the level is that in the project');

/**
 * The source of a pipeline: the commit of a branch, a tag or a merge request's head, and one file of it. Called once
 * per pipeline by the ci service and answered by the repository service, for the project of the context. Null if the
 * ref does not exist. `content` is null if the commit has no such file, or one over `max_bytes`, or one that is not
 * UTF-8.
 */
export const ciSource = operation({
  name: 'repository.ci.source',
  access: internalOnProject(),
  isRead: true,
  routedByStorage: true,
  input: z.object({
    ref: z.string().describe('Name of a branch or tag; branches win'),
    ref_type: z.enum(['branch', 'tag']).optional().describe('Only that is meant'),
    sha: z.string().optional().describe('Commit, or tag of one, that was pushed; the ref may have moved on since'),
    merge_request_iid: id.optional().describe('Its head is meant, and not the ref'),
    is_admin: isAdmin,
    path: z.string(),
    max_bytes: z
      .int()
      .positive()
      .default(1024 * 1024),
  }),
  output: z
    .object({
      ref_type: z.enum(['branch', 'tag', 'merge_request']),
      may_update: z.boolean().describe('Whether the caller may push to the branch, merge into it, or create the tag'),
      is_protected: z.boolean().describe('Whether the branch or tag is protected'),
      default_branch: z.string().nullable().optional().describe('Absent in answers of older versions'),
      commit: z.object({
        id: z.string(),
        message: z.string(),
        author_name: z.string(),
        author_email: z.string(),
        committed_date: z.string().describe("With the committer's offset"),
      }),
      before_sha: z
        .string()
        .describe('First parent, all zeros for a root commit; replicas of earlier versions read it'),
      content: z.string().nullable(),
      is_too_large: z.boolean().describe('There is such a file, of more than `max_bytes`'),
    })
    .nullable(),
});

/**
 * Whether a user may change a branch, or a tag if no such branch exists: only such users may run pipelines of
 * protected refs. For the project and level of the context; a missing name counts as a branch. See
 * docs/api/pipelines.md#3.
 */
export const ciRefAccess = operation({
  name: 'repository.ci.ref-access',
  access: internalOnProject(),
  isRead: true,
  routedByStorage: true,
  input: z.object({ ref: z.string(), is_admin: isAdmin }),
  output: z.object({ may_update: z.boolean() }),
});

const mostPaths = 10_000;
const mostBytes = 2 * 1024 ** 2;

/**
 * Files that differ between two commits, or since their merge base, for the project of the context; a rename is two.
 * Null if one of them does not exist. `is_truncated` also if they have no common history.
 */
export const ciChangedPaths = operation({
  name: 'repository.ci.changed-paths',
  access: internalOnProject(),
  isRead: true,
  routedByStorage: true,
  input: z.object({
    from: z.string().max(1024).describe('Branch, tag or commit'),
    to: z.string().max(1024).describe('Branch, tag or commit'),
    since_merge_base: z.boolean(),
    max_paths: z.int().min(0).max(mostPaths),
    max_bytes: z.int().min(0).max(mostBytes).default(mostBytes),
  }),
  output: z.object({ paths: z.array(z.string()), is_truncated: z.boolean() }).nullable(),
});

/**
 * Files of a commit, up to a limit, and the existing ones of some paths, for the project of the context. Null without
 * the commit.
 */
export const ciTreePaths = operation({
  name: 'repository.ci.tree-paths',
  access: internalOnProject(),
  isRead: true,
  routedByStorage: true,
  input: z.object({
    sha: z.string().max(1024).describe('Branch, tag or commit'),
    paths: z.array(z.string()).max(1000).describe('Files that are asked about'),
    max_paths: z.int().min(0).max(mostPaths).describe('Of the list; 0 for none'),
    max_bytes: z.int().min(0).max(mostBytes).default(mostBytes),
  }),
  output: z.object({ existing: z.array(z.string()), files: z.array(z.string()), is_truncated: z.boolean() }).nullable(),
});
