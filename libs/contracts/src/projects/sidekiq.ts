import { z } from 'zod';
import { administrator, atLeastOneOf, del, errors, get, operation, time } from '../operation';

export const sidekiqErrors = errors('sidekiq', {
  queueNotFound: {
    status: 404,
    message: '404 Queue Not Found',
    means: 'No process ever worked on a queue of that name.',
  },
});

/* Background jobs in the form of programs of the v4 world. See docs/api/instance.md#8. */

const queues = z
  .record(
    z.string(),
    z.object({
      backlog: z.int().describe('Jobs that the next free worker takes'),
      latency: z.int().describe('Seconds since the oldest of them could have been taken'),
    }),
  )
  .describe('By names of queues');

const processes = z.array(
  z.object({
    hostname: z.string(),
    pid: z.int(),
    tag: z.literal('moothall'),
    started_at: time,
    queues: z.array(z.string()),
    labels: z.array(z.string()).describe('None: processes here have none'),
    concurrency: z.int().describe('Jobs that it does at the same time, of all its queues'),
    busy: z.int().describe('Jobs that it does now'),
  }),
);

const jobs = z.object({
  processed: z.int().describe('Jobs that came to their end, well or not, since Redis knows of them'),
  failed: z.int().describe('Those of them that were given up'),
  enqueued: z.int().describe('Jobs that the next free worker takes'),
  dead: z.int().describe('Failed jobs'),
});

export const getQueueMetrics = operation({
  name: 'projects.sidekiq-metrics.queues',
  summary: 'How long queues of background jobs are',
  http: get('/sidekiq/queue_metrics'),
  access: administrator(),
  input: z.object({}),
  output: z.object({ queues }),
});

export const getProcessMetrics = operation({
  name: 'projects.sidekiq-metrics.processes',
  summary: 'Processes that work on background jobs now',
  http: get('/sidekiq/process_metrics'),
  access: administrator(),
  input: z.object({}),
  output: z.object({ processes }),
});

export const getJobStats = operation({
  name: 'projects.sidekiq-metrics.jobs',
  summary: 'How many background jobs there were and are',
  http: get('/sidekiq/job_stats'),
  access: administrator(),
  input: z.object({}),
  output: z.object({ jobs }),
});

export const getCompoundMetrics = operation({
  name: 'projects.sidekiq-metrics.all',
  summary: 'Queues, processes and counts of background jobs',
  http: get('/sidekiq/compound_metrics'),
  access: administrator(),
  input: z.object({}),
  output: z.object({ queues, processes, jobs }),
});

/** Fields of jobs of other v4 servers; jobs of this one have only a class. */
const metadata = [
  'user',
  'project',
  'root_namespace',
  'subscription_plan',
  'caller_id',
  'feature_category',
  'worker_class',
] as const;
const otherMetadata = z.string().max(255).optional().describe('Jobs here do not say it: with it, none is deleted');

export const deleteQueuedJobs = operation({
  name: 'projects.sidekiq-queues.delete-jobs',
  summary: 'Delete background jobs that wait',
  description:
    'Deletes jobs that match all parameters, for at most half a minute. Jobs that follow from stored records are created again.',
  refusals: ['sidekiq.queue_not_found'],
  http: del('/admin/sidekiq/queues/:queue_name', { success: 200 }),
  access: administrator(),
  input: z
    .object({
      queue_name: z.string().max(255).describe('As lists of queues have it'),
      user: otherMetadata,
      project: otherMetadata,
      root_namespace: otherMetadata,
      subscription_plan: otherMetadata,
      caller_id: otherMetadata,
      feature_category: otherMetadata,
      worker_class: z.string().max(255).optional().describe('Name of the queue, without the storage behind it'),
    })
    .refine(...atLeastOneOf(...metadata)),
  output: z.object({
    completed: z.boolean().describe('Whether all that waited was looked at'),
    deleted_jobs: z.int(),
    queue_size: z.int().describe('Jobs that wait still'),
  }),
  timeoutSeconds: 60,
});
