import { z } from 'zod';
import { errors, get, id, internal, operation, patch, post, put, text, tokenBearer } from '../operation';
import { Job } from './job';

/*
 * How a runner gets a job and reports it. Shapes are those of existing runners. Fields with `header` in their
 * metadata come from that request header unless given as a parameter; the one with `rawBody` is the body of the
 * request, whatever its content type, in base64.
 */

export const runnerJobErrors = errors('runner_job', {
  unknownToken: { status: 403, message: '403 Forbidden', means: 'The token belongs to no existing job.' },
});

export const jobToken = z.string().optional().meta({ header: 'JOB-TOKEN' });

const Step = z.object({
  name: z.string(),
  script: z.array(z.string()),
  timeout: z.int().describe('Seconds'),
  when: z.string(),
  allow_failure: z.boolean(),
});

/** Files that a runner sends when the job ends, packed as one. See docs/api/artifacts.md#1. */
const JobArtifact = z.object({
  name: z.string().optional(),
  untracked: z.boolean(),
  paths: z.array(z.string()),
  exclude: z.array(z.string()).optional(),
  when: z.string(),
  artifact_type: z.string(),
  artifact_format: z.string(),
  expire_in: z.string().optional(),
});

/** Files that a runner stores for later jobs. */
const JobCache = z.object({
  key: z.string(),
  untracked: z.boolean(),
  policy: z.string(),
  paths: z.array(z.string()),
  when: z.string(),
  fallback_keys: z.array(z.string()),
});

const Image = z.object({
  name: z.string(),
  entrypoint: z.array(z.string()).optional(),
  pull_policy: z.array(z.string()).optional(),
});

/** All a runner needs for a job. */
export const RunnerJob = z.object({
  id,
  token: z.string(),
  allow_git_fetch: z.boolean(),
  job_info: z.object({
    id,
    name: z.string(),
    stage: z.string(),
    project_id: id,
    project_name: z.string(),
    time_in_queue_seconds: z.number(),
  }),
  git_info: z.object({
    repo_url: z.string(),
    ref: z.string(),
    ref_type: z.enum(['branch', 'tag']),
    sha: z.string(),
    before_sha: z.string(),
    refspecs: z.array(z.string()),
    depth: z.int(),
  }),
  runner_info: z.object({ timeout: z.int() }),
  variables: z.array(
    z.object({
      key: z.string(),
      value: z.string(),
      public: z.boolean(),
      file: z.boolean(),
      masked: z.boolean(),
      raw: z.boolean().optional().describe('What looks like a variable in it is left as it is'),
    }),
  ),
  steps: z.array(Step),
  hooks: z.array(z.object({ name: z.literal('pre_get_sources_script'), script: z.array(z.string()) })).optional(),
  image: Image.nullable(),
  services: z.array(
    Image.extend({
      alias: z.string().optional(),
      command: z.array(z.string()).optional(),
      variables: z.array(z.object({ key: z.string(), value: z.string() })).optional(),
    }),
  ),
  artifacts: z.array(JobArtifact),
  cache: z.array(JobCache),
  credentials: z.array(z.unknown()),
  dependencies: z.array(
    z.object({
      id,
      name: z.string(),
      token: z.string().describe('For its artifacts, while this job runs'),
      artifacts_file: z.object({ filename: z.string(), size: z.int() }),
    }),
  ),
  features: z.object({ trace_sections: z.boolean(), failure_reasons: z.array(z.string()) }),
});

export const requestJob = operation({
  name: 'ci.runner-jobs.request',
  description: 'The oldest job that the runner may take; 204 when none waits.',
  refusals: ['runner.unknown_token'],
  http: post('/jobs/request'),
  summary: 'Take a job as a runner',
  access: tokenBearer(),
  input: z.object({
    token: text.describe('Token of the runner'),
    info: z.record(z.string(), z.unknown()).optional(),
  }),
  output: RunnerJob.nullable(),
});

/** Reasons that runners report; others become `unknown_failure`. */
export const failureReasons = [
  'script_failure',
  'runner_system_failure',
  'job_execution_timeout',
  'unknown_failure',
] as const;

export const reportJob = operation({
  name: 'ci.runner-jobs.report',
  description:
    'The runner reports the state of its job. The header Job-Status of the answer has the state of the job. 403 if the job was canceled or timed out: the runner stops.',
  refusals: ['runner_job.unknown_token'],
  http: put('/jobs/:id'),
  summary: 'Report the state of a job as its runner',
  access: tokenBearer(),
  input: z.object({
    id,
    token: jobToken,
    state: z.enum(['running', 'success', 'failed']).default('running'),
    failure_reason: z.string().optional(),
    exit_code: z.int().optional(),
  }),
  output: z.object({ message: z.string() }),
});

export const appendJobTrace = operation({
  name: 'ci.runner-jobs.append-trace',
  description:
    'Appends output of a job: `Content-Range: 0-99` is its first 100 bytes. 202 with a Range header of the stored bytes; 416 with the same header if the range does not continue them; 403 as for reports.',
  refusals: ['runner_job.unknown_token', 'common.too_large'],
  http: patch('/jobs/:id/trace', { success: 202 }),
  summary: 'Add output of a job as its runner',
  access: tokenBearer(),
  input: z.object({
    id,
    token: jobToken,
    content_range: text.meta({ header: 'Content-Range' }),
    body: z.base64().meta({ rawBody: true }),
  }),
  output: z.object({ message: z.string() }),
});

export const getCurrentJob = operation({
  name: 'ci.jobs.current',
  description: 'The running job that a job token belongs to.',
  refusals: ['common.unauthorized'],
  http: get('/job'),
  summary: 'The job of a job token',
  access: tokenBearer(),
  input: z.object({ job_token: jobToken }),
  output: Job,
});

/** The user name of job tokens for git, which existing runners use. */
export const jobTokenUser = 'gitlab-ci-token';

/**
 * The identity of a job token, for clones of jobs: the user of the pipeline, who may read that project while the job
 * runs. Only the SHA-256 of the token is sent.
 * @throws common.unauthorized if no running job has it
 */
export const authenticateJobToken = operation({
  name: 'ci.job-tokens.authenticate',
  access: internal(),
  isRead: true,
  input: z.object({ token_sha256: z.string().length(64) }),
  output: z.object({ user_id: id, project_id: id, job_id: id }),
});
