import { z } from 'zod';
import { operation, projectRef, put } from '../operation';
import { pushesCode } from './access';
import { Commit } from './commit-view';

/** See docs/api/repository.md#15. */
export const updateSubmodule = operation({
  name: 'repository.submodules.update',
  summary: 'Commit that a submodule stands at another commit',
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
      .describe('Commit of the other repository, which nobody looks into'),
    commit_message: z.string().optional().describe('Unless given, it says which submodule stands where'),
  }),
  output: Commit,
  routedByStorage: true,
});
