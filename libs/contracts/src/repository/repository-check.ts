import { z } from 'zod';
import { administrator, get, operation, post, projectRef, time } from '../operation';

export const checkRepository = operation({
  name: 'repository.checks.start',
  description:
    'Checks every object and link of a repository and its wiki in the background; the report has the problems.',
  summary: 'Look a repository over for damage',
  http: post('/projects/:id/repository_check', { success: 202 }),
  access: administrator(),
  input: z.object(projectRef),
  output: z.object({ message: z.string() }),
});

export const getRepositoryCheck = operation({
  name: 'repository.checks.get',
  description: 'Of the last check. Repositories are checked weekly and on request.',
  summary: 'Result of the last check of a repository',
  http: get('/projects/:id/repository_check'),
  access: administrator(),
  input: z.object(projectRef),
  output: z.object({
    checked_at: time.nullable(),
    findings: z.array(z.string()).describe('In the words of git; empty when all is well'),
  }),
});
