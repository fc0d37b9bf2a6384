import { z } from 'zod';
import { administrator, errors, get, operation, page, post, text } from '../operation';

export const failedJobErrors = errors('set_aside_job', {
  notFound: { status: 404, message: '404 Job Not Found', means: 'No failed job has that id.' },
});

/** A failed job that ended its process twice; only an administrator retries it. */
export const FailedJob = z.object({
  id: z.string().describe('`<queue>:<job>`'),
  queue: z.string(),
  reason: z.string(),
  created_at: z.iso.datetime(),
  set_aside_at: z.iso.datetime().nullable(),
});
export type FailedJob = z.output<typeof FailedJob>;

export const listFailedJobs = operation({
  name: 'projects.set-aside-jobs.list',
  summary: 'Failed background jobs, latest first',
  description: 'A job that ended its process twice fails until an administrator retries it.',
  http: get('/admin/jobs/set_aside'),
  access: administrator(),
  input: z.object({}),
  output: page(FailedJob),
});

export const retryFailedJob = operation({
  name: 'projects.set-aside-jobs.retry',
  summary: 'Try a background job again',
  description: 'If it ends its process again, it fails again.',
  refusals: ['set_aside_job.not_found'],
  http: post('/admin/jobs/set_aside/:job_id/retry'),
  access: administrator(),
  input: z.object({ job_id: text }),
  output: FailedJob,
});
