import { z } from 'zod';
import { id, internal, operation } from '../../operation';

/** How many open issues projects have, and how many of them are confidential. At most 100 projects. */
export const openIssueCounts = operation({
  name: 'collaboration.issues.open-counts',
  access: internal(),
  isRead: true,
  input: z.object({ project_ids: z.array(id).max(100) }),
  output: z.array(z.object({ project_id: id, open: z.int(), confidential: z.int() })),
});
