import { z } from 'zod';
import { administrator, get, operation } from '../operation';

/** The number of jobs in a queue, of all processes. */
export const JobQueueCounts = z.object({
  name: z.string().describe('`<service>.<purpose>`, with the storage behind it where each has its own'),
  waiting: z.int().describe('Jobs that the next free worker takes'),
  delayed: z.int().describe('Jobs that are scheduled or wait for a retry'),
  active: z.int().describe('Running jobs'),
  set_aside: z.int().describe('Failed jobs that crashed their process'),
});
export type JobQueueCounts = z.output<typeof JobQueueCounts>;

export const listJobQueues = operation({
  name: 'projects.job-queues.list',
  summary: 'Queues of background jobs, and how many jobs are in each',
  http: get('/admin/jobs/queues'),
  access: administrator(),
  input: z.object({}),
  output: z.array(JobQueueCounts),
});
