import { z } from 'zod';
import { internalOnProject, operation } from '../operation';
import { Commit } from './commit-view';

/**
 * The existing ones of some tags, for the releases of the context's project; unordered. `may_create` is true if a
 * caller with the level of the context could create the tag: others may not change its release.
 */
export const tagFacts = operation({
  name: 'repository.tags.facts',
  access: internalOnProject(),
  isRead: true,
  routedByStorage: true,
  input: z.object({
    names: z.array(z.string()).max(100),
    is_admin: z.boolean().default(false).describe('Whether the caller is an administrator'),
  }),
  output: z.array(
    z.object({
      name: z.string(),
      commit: Commit.nullable().describe('Null for a tag of something else'),
      may_create: z.boolean(),
    }),
  ),
});
