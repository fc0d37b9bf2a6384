import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { Access, bytes, errors, get, id, onProject, operation, page, post, projectRef, time } from '../operation';
import { PipelineSummary } from './pipeline';
import { mostVariables, variableType, variableValue } from './variable';

export const jobErrors = errors('job', {
  notFound: { status: 404, message: '404 Not found', means: 'No such job in the project.' },
  notRetryable: { status: 403, message: '403 Forbidden - Job is not retryable', means: 'Only ended jobs run again.' },
  notPlayable: {
    status: 400,
    message: '400 Bad request - Unplayable Job',
    means: 'The job does not wait for a manual start.',
  },
  notErasable: { status: 403, message: '403 Forbidden - Job is not erasable!', means: 'The job has not ended.' },
});

/** States of jobs. See docs/api/pipelines.md#1. */
export const jobStatuses = [
  'created',
  'waiting_for_resource',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** States that clients also filter by, and which no job here is ever in. */
const otherStatuses = ['preparing', 'canceling'] as const;

export const JobCommit = z.object({
  id: z.string(),
  short_id: z.string(),
  title: z.string(),
  message: z.string(),
  author_name: z.string(),
  author_email: z.string(),
  created_at: time,
});

const JobRunner = z.object({
  id,
  description: z.string(),
  active: z.boolean(),
  paused: z.boolean(),
  is_shared: z.boolean(),
  runner_type: z.string(),
  name: z.string().nullable(),
  online: z.boolean(),
  status: z.string(),
});

/** A job of a pipeline, in the form of the v4 interface. */
export const Job = z.object({
  id,
  name: z.string(),
  stage: z.string(),
  status: z.enum(jobStatuses),
  ref: z.string(),
  tag: z.boolean(),
  coverage: z.number().nullable(),
  allow_failure: z.boolean(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  erased_at: time.nullable(),
  duration: z.number().nullable().describe('Seconds'),
  queued_duration: z.number().nullable().describe('Seconds'),
  failure_reason: z.string().optional().describe('For failed jobs'),
  user: UserSummary.nullable(),
  commit: JobCommit.nullable(),
  pipeline: PipelineSummary,
  web_url: z.string(),
  artifacts: z.array(
    z.object({
      file_type: z.string(),
      size: z.int().describe('Bytes'),
      filename: z.string(),
      file_format: z.string().nullable(),
    }),
  ),
  artifacts_file: z
    .object({ filename: z.string(), size: z.int().describe('Bytes') })
    .optional()
    .describe('The archive, if any'),
  artifacts_expire_at: time.nullable(),
  runner: JobRunner.nullable(),
  tag_list: z.array(z.string()),
});

/** A job that triggers a pipeline. See docs/api/pipeline-files.md#7. */
export const Bridge = Job.extend({ downstream_pipeline: PipelineSummary.nullable() });

const reading = onProject({ feature: 'builds', anonymous: true });
const developing = onProject({ feature: 'builds', level: Access.Developer });
const job = { ...projectRef, job_id: id };
const scope = z.array(z.enum([...jobStatuses, ...otherStatuses])).default([]);

export const listJobs = operation({
  name: 'ci.jobs.list',
  description:
    'Newest pipeline first, within it the newest job. For developers, and for readers while pipelines are public.',
  http: get('/projects/:id/jobs'),
  summary: 'Jobs of a project',
  access: reading,
  input: z.object({ ...projectRef, scope: scope.describe('States to show; all unless given') }),
  output: page(Job),
});

export const listPipelineJobs = operation({
  name: 'ci.jobs.list-of-pipeline',
  refusals: ['pipeline.not_found'],
  http: get('/projects/:id/pipelines/:pipeline_id/jobs'),
  summary: 'Jobs of a pipeline',
  access: reading,
  input: z.object({
    ...projectRef,
    pipeline_id: id,
    scope,
    include_retried: z.boolean().default(false).describe('Also those that another run has replaced'),
  }),
  output: page(Job),
});

export const listPipelineBridges = operation({
  name: 'ci.jobs.bridges',
  description: 'Newest first, each with its pipeline if the caller may see it. Other lists of jobs omit them.',
  refusals: ['pipeline.not_found'],
  http: get('/projects/:id/pipelines/:pipeline_id/bridges'),
  summary: 'Jobs of a pipeline that trigger other pipelines',
  access: reading,
  input: z.object({ ...projectRef, pipeline_id: id, scope }),
  output: page(Bridge),
});

export const getJob = operation({
  name: 'ci.jobs.get',
  refusals: ['job.not_found'],
  http: get('/projects/:id/jobs/:job_id'),
  summary: 'One job',
  access: reading,
  input: z.object(job),
  output: Job,
});

export const getJobTrace = operation({
  name: 'ci.jobs.trace',
  description: 'The output of the job so far.',
  refusals: ['job.not_found'],
  http: get('/projects/:id/jobs/:job_id/trace'),
  summary: 'Output of a job',
  access: reading,
  input: z.object(job),
  output: bytes('text/plain'),
});

/** The last bytes of the output, from the beginning of a line. */
export const readJobLogEnd = operation({
  name: 'ci.jobs.log-end',
  onPages: true,
  refusals: ['job.not_found'],
  access: reading,
  isRead: true,
  input: z.object({
    ...job,
    bytes: z
      .int()
      .positive()
      .max(1024 ** 2),
  }),
  output: z.object({ text: z.string(), is_whole: z.boolean() }),
});

export const cancelJob = operation({
  name: 'ci.jobs.cancel',
  http: post('/projects/:id/jobs/:job_id/cancel'),
  summary: 'Cancel a job',
  access: developing,
  input: z.object(job),
  output: Job,
});

export const retryJob = operation({
  name: 'ci.jobs.retry',
  description: 'The job stays; another one takes its place, which is answered.',
  refusals: ['job.not_retryable', 'environment.is_protected'],
  http: post('/projects/:id/jobs/:job_id/retry'),
  summary: 'Run a job again',
  access: developing,
  input: z.object(job),
  output: Job,
});

export const playJob = operation({
  name: 'ci.jobs.play',
  refusals: ['job.not_playable', 'environment.is_protected'],
  http: post('/projects/:id/jobs/:job_id/play'),
  summary: 'Start a manual job, or a delayed one now',
  access: developing,
  input: z.object({
    ...job,
    job_variables_attributes: z
      .array(z.object({ key: z.string(), value: variableValue, variable_type: variableType.default('env_var') }))
      .max(mostVariables)
      .default([]),
  }),
  output: Job,
});

export const eraseJob = operation({
  name: 'ci.jobs.erase',
  description: "Removes the job's output and artifacts. For maintainers, and for the developer who made the pipeline.",
  refusals: ['job.not_erasable'],
  http: post('/projects/:id/jobs/:job_id/erase'),
  summary: 'Remove the output and artifacts of a job',
  access: developing,
  input: z.object(job),
  output: Job,
});
