import { z } from 'zod';
import { event, id, snapshotField } from '../operation';

/** The state of a repository after a change; `repository.repositories.state` returns the current one. */
const state = {
  default_branch: snapshotField(z.string().nullable()),
  is_empty: snapshotField(z.boolean()),
  /** README of the default branch; null if there is none. */
  readme_path: snapshotField(z.string().nullable()),
};

/** A push or the API moved a ref. `before` is all zeros if the ref is new, `after` if it was deleted. */
export const repositoryPushed = event({
  name: 'repository.push',
  data: z.object({
    project_id: id,
    user_id: id.nullable().describe('Null for deploy keys and imports'),
    ref: z.string().describe('Full name, as refs/heads/main'),
    before: z.string(),
    after: z.string(),
    ...state,
  }),
});

const pusher = z
  .object({ id, username: z.string(), name: z.string(), email: z.string() })
  .nullable()
  .describe('Null for deploy keys, mirrors and imports');

const pushedCommit = z.object({
  id: z.string(),
  title: z.string(),
  message: z.string(),
  timestamp: z.string().describe("With the committer's offset"),
  url: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  added: z.array(z.string()),
  modified: z.array(z.string()),
  removed: z.array(z.string()),
});

/**
 * The details of a moved branch or tag, for hooks and integrations. It follows each `repository.push`, of git and of
 * the API. It has the newest 20 commits, oldest first, and at most 200,000 bytes of file names.
 */
export const pushReceived = event({
  name: 'repository.push.received',
  data: z.object({
    project_id: id,
    user: pusher,
    ref: z.string().describe('Full name, as refs/heads/main'),
    ref_type: z.enum(['branch', 'tag']),
    before: z.string(),
    after: z.string(),
    checkout_sha: z.string().nullable().describe('The new commit; null for a deletion'),
    message: z.string().nullable().describe('Of an annotated tag'),
    default_branch: z.string().nullable(),
    commits: z.array(pushedCommit),
    total_commits_count: z.int(),
  }),
});

/** One push or one change through the API moved refs of a repository: one event for all of them. */
export const repositoryUpdated = event({
  name: 'repository.refs.changed',
  data: z.object({
    project_id: id,
    user: pusher,
    changes: z.array(z.object({ ref: z.string(), before: z.string(), after: z.string() })),
    push_options: z
      .array(z.string())
      .optional()
      .describe('As the pushing client sent them; absent in events of older versions'),
  }),
});

/** A wiki page was created, changed or deleted, through the API or by a push. `content` is empty above 256 KiB. */
export const wikiPageChanged = event({
  name: 'repository.wiki-page.changed',
  data: z.object({
    project_id: id,
    user: pusher,
    action: z.enum(['create', 'update', 'delete']),
    slug: z.string(),
    title: z.string(),
    format: z.string(),
    content: z.string(),
    message: z.string(),
    version_id: z.string().describe('Id of the commit'),
  }),
});

/** Changed refs without another event: those of a wiki, and hidden ones. For copies of repositories. */
export const copiedRefsChanged = event({
  name: 'repository.copied-refs.changed',
  data: z.object({ project_id: id, kind: z.enum(['code', 'wiki']) }),
});

/** An import from a URL ended; `error` is null if it succeeded. */
export const importFinished = event({
  name: 'repository.import.finished',
  data: z.object({
    project_id: id,
    error: z.string().nullable(),
    missing_objects: z.string().optional().describe('Why some Git LFS objects are missing; absent if none is'),
    ...state,
  }),
});

/** Whether `git push -o ci.skip`, or `ci.skip=…`, requests no pipelines. See docs/api/pipelines.md#6. */
export const asksForNoPipelines = (options: readonly string[]): boolean =>
  options.some((option) => option === 'ci.skip' || option.startsWith('ci.skip='));
