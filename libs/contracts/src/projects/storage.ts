import { z } from 'zod';
import { id, internal, operation } from '../operation';

/**
 * Sets the storage of a project and whether it accepts writes, for a move. Every service that caches the project is
 * notified by `projects.project.changed`.
 * @throws project.not_found; common.conflict if the repository is not on `from`
 */
export const setProjectStorage = operation({
  name: 'projects.projects.set-storage',
  access: internal(),
  input: z.object({
    project_id: id,
    from: z.string().describe('Storage the caller believes it to be on'),
    storage: z.string(),
    is_read_only: z.boolean(),
  }),
  output: z.object({ storage: z.string(), is_read_only: z.boolean() }),
});
