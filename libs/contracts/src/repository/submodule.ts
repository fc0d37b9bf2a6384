import { z } from 'zod';
import { operation, projectRef, put } from '../operation';
import { pushesCode } from './access';
import { Commit } from './commit-view';

/** See docs/api/repository.md#15. */
export const updateSubmodule = operation({
  name: 'repository.submodules.update',
  summary: 'Set the commit of a submodule',
  refusals: ['git.submodule_missing', 'git.submodule_unchanged', 'push_rule.refused'],
  http: put('/projects/:id/repository/submodules/:submodule'),
  access: pushesCode,
  input: z.object({
    ...projectRef,
    submodule: z.string().describe('Path of the submodule in the repository'),
    branch: z.string(),
    commit_sha: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'is invalid')
      .describe('Commit of the other repository; not checked'),
    commit_message: z.string().optional().describe('Default: a message that names the submodule and the commit'),
  }),
  output: Commit,
  routedByStorage: true,
});
