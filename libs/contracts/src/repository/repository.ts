import { z } from 'zod';
import { errors, id, internal, internalOnProject, nothing, operation } from '../operation';

export const repositoryErrors = errors('repository', {
  importUrlBlocked: {
    status: 400,
    message: { import_url: ['is blocked'] },
    means: 'The address to import from is not one that may be fetched.',
  },
});

/**
 * Creates the bare repository of a project, on the project's storage, before the project is visible: the project is
 * created when this has answered, and `projects.project.deleted` follows if that fails. Idempotent. With `import_url`
 * the fetch runs in the background and ends in `repository.import.finished`.
 */
export const createRepository = operation({
  name: 'repository.repositories.create',
  access: internalOnProject(),
  input: z.object({
    project_id: id,
    default_branch: z.string().describe('Where HEAD points, also while there is no commit'),
    /** As groups have it: 0 none, 1 developers push, 2 maintainers push, 3 developers merge only. Counts at the first push. */
    default_branch_protection: z.int().min(0).max(3).default(2),
    /** Title of the README of a first commit; absent without one. */
    readme: z.object({ title: z.string(), text: z.string() }).optional(),
    /** Shares its objects; for forks. */
    forked_from: z.object({ project_id: id, storage: z.string() }).optional(),
    import_url: z.string().optional(),
    author: z.object({ name: z.string(), email: z.string() }),
  }),
  output: z.object({
    default_branch: z.string().nullable(),
    is_empty: z.boolean(),
    readme_path: z.string().nullable(),
  }),
  routedByStorage: true,
  timeoutSeconds: 120,
});

/**
 * From now on changes of the project are checked against its Git LFS locks. Called before the first lock is written;
 * may be repeated.
 */
export const expectLfsLocks = operation({
  name: 'repository.repositories.expect-lfs-locks',
  access: internal(),
  input: z.object({ project_id: id }),
  output: nothing(),
});

/** Sets HEAD to another branch. @throws common.invalid_record if it does not exist */
export const setDefaultBranch = operation({
  name: 'repository.repositories.set-default-branch',
  access: internalOnProject(),
  input: z.object({ project_id: id, branch: z.string() }),
  output: z.object({ default_branch: z.string() }),
  routedByStorage: true,
});

/** The state of a repository that the projects service stores. */
export const repositoryState = operation({
  name: 'repository.repositories.state',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ project_id: id }),
  output: z.object({
    default_branch: z.string().nullable(),
    is_empty: z.boolean(),
    /** README of the default branch; null if there is none. */
    readme_path: z.string().nullable(),
  }),
  routedByStorage: true,
});

/** The content and size of a repository, in bytes. `commit_sha` is the head of the default branch. */
export const repositoryFacts = operation({
  name: 'repository.repositories.facts',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ project_id: id }),
  output: z.object({
    commit_count: z.int(),
    repository_size: z.int(),
    wiki_size: z.int(),
    commit_sha: z.string().nullable(),
  }),
  routedByStorage: true,
});

/** Share of each language in the default branch, in percent with two decimals, largest first. */
export const repositoryLanguages = operation({
  name: 'repository.repositories.languages',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ project_id: id }),
  output: z.record(z.string(), z.number()),
  routedByStorage: true,
});

/** Runs maintenance of the repository and wiki of a project, in the background; once for all requests until then. */
export const maintainRepository = operation({
  name: 'repository.repositories.maintain',
  access: internalOnProject(),
  input: z.object({ project_id: id }),
  output: nothing(),
  routedByStorage: true,
});

/** Path of a repository on the disk of its storage, without `.git`. */
export const repositoryLocation = operation({
  name: 'repository.repositories.place',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ project_id: id }),
  output: z.object({ disk_path: z.string() }),
  routedByStorage: true,
});
