import { z } from 'zod';
import { id, internalOnProject, operation } from '../../operation';
import { Milestone } from './milestone-view';

/**
 * Milestones that the context's project may use, its own and those of ancestors: by title, of which the nearest
 * counts, or by id. Missing ones are omitted.
 */
export const namedMilestones = operation({
  name: 'collaboration.milestones.named',
  access: internalOnProject(),
  isRead: true,
  input: z.object({
    titles: z.array(z.string()).max(100).default([]),
    ids: z.array(id).max(10_000).default([]),
  }),
  output: z.array(Milestone),
});
