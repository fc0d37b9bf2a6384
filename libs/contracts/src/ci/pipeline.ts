import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  del,
  errors,
  get,
  id,
  internalForCaller,
  internalOnProject,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  text,
  time,
  timestamp,
} from '../operation';
import { CiVariable, mostVariables, variableType, variableValue } from './variable';

export const pipelineErrors = errors('pipeline', {
  notFound: { status: 404, message: '404 Pipeline Not Found', means: 'No such pipeline in the project.' },
  invalid: {
    status: 400,
    message: { base: ['Missing CI config file'] },
    means:
      'No pipeline can be created for the ref: it is unknown, or its pipeline file is missing, invalid or has no jobs.',
  },
});

/** States of pipelines. See docs/api/pipelines.md#1. */
export const pipelineStatuses = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const;
export type PipelineStatus = (typeof pipelineStatuses)[number];

/** What created a pipeline. */
export const pipelineSources = [
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'merge_request_event',
  'external',
  'pipeline',
  'parent_pipeline',
] as const;
export type PipelineSource = (typeof pipelineSources)[number];

/** A pipeline in lists. See docs/api/pipelines.md#1. */
export const PipelineSummary = z.object({
  id,
  iid: id,
  project_id: id,
  sha: z.string(),
  ref: z.string(),
  status: z.enum(pipelineStatuses),
  source: z.enum(pipelineSources),
  name: z.string().nullable().describe('`workflow:name` of its file'),
  created_at: time,
  updated_at: time,
  web_url: z.string(),
});

export const DetailedStatus = z.object({
  icon: z.string(),
  text: z.string(),
  label: z.string(),
  group: z.string(),
  tooltip: z.string(),
  has_details: z.boolean(),
  details_path: z.string().nullable(),
  illustration: z.null(),
  favicon: z.string(),
});

export const Pipeline = PipelineSummary.extend({
  before_sha: z.string(),
  tag: z.boolean(),
  yaml_errors: z.string().nullable().describe('Why there are no jobs'),
  user: UserSummary.nullable(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  committed_at: time.nullable(),
  duration: z.number().nullable().describe('Seconds during which a job ran'),
  queued_duration: z.number().nullable().describe('Seconds until the first job ran'),
  coverage: z.string().nullable(),
  detailed_status: DetailedStatus,
});

const reading = onProject({ feature: 'builds', anonymous: true });
const developing = onProject({ feature: 'builds', level: Access.Developer });
const pipeline = { ...projectRef, pipeline_id: id };

export const listPipelines = operation({
  name: 'ci.pipelines.list',
  description: 'For developers; for readers of the project if pipelines are public.',
  refusals: ['common.forbidden'],
  http: get('/projects/:id/pipelines'),
  summary: 'Pipelines of a project',
  access: reading,
  input: z.object({
    ...projectRef,
    scope: z.enum(['running', 'pending', 'finished', 'branches', 'tags']).optional(),
    status: z.enum(pipelineStatuses).optional(),
    source: z.enum(pipelineSources).optional(),
    ref: z.string().optional(),
    sha: z.string().optional(),
    yaml_errors: z.boolean().optional().describe('Only pipelines with an invalid file, or only others'),
    username: z.string().optional().describe('The user who created it'),
    updated_after: timestamp.optional(),
    updated_before: timestamp.optional(),
    created_after: timestamp.optional(),
    created_before: timestamp.optional(),
    order_by: z.enum(['id', 'status', 'ref', 'updated_at', 'user_id']).default('id'),
    sort: z.enum(['asc', 'desc']).default('desc'),
  }),
  output: page(PipelineSummary),
});

export const getPipeline = operation({
  name: 'ci.pipelines.get',
  refusals: ['pipeline.not_found'],
  http: get('/projects/:id/pipelines/:pipeline_id'),
  summary: 'One pipeline',
  access: reading,
  input: z.object(pipeline),
  output: Pipeline,
});

export const getLatestPipeline = operation({
  name: 'ci.pipelines.latest',
  description: 'The newest of a ref, the default branch unless given.',
  refusals: ['pipeline.not_found'],
  http: get('/projects/:id/pipelines/latest'),
  summary: 'The newest pipeline of a branch or tag',
  access: reading,
  input: z.object({ ...projectRef, ref: text.optional() }),
  output: Pipeline,
});

export const listPipelineVariables = operation({
  name: 'ci.pipelines.variables',
  description: 'Variables given when the pipeline was created. For maintainers, and for the developer who created it.',
  http: get('/projects/:id/pipelines/:pipeline_id/variables'),
  summary: 'Variables that a pipeline was made with',
  access: developing,
  input: z.object(pipeline),
  output: z.array(CiVariable),
});

const testTotals = {
  total_time: z.number().describe('Seconds'),
  total_count: z.int(),
  success_count: z.int(),
  failed_count: z.int(),
  skipped_count: z.int(),
  error_count: z.int(),
};

const testSuite = {
  name: z.string().describe('Of the job'),
  ...testTotals,
  suite_error: z.string().nullable().describe('Why its report could not be read'),
};

const TestCase = z.object({
  status: z.enum(['success', 'failed', 'error', 'skipped']),
  name: z.string(),
  classname: z.string(),
  file: z.string().nullable(),
  execution_time: z.number().describe('Seconds'),
  system_output: z.string().nullable(),
  stack_trace: z.null(),
  recent_failures: z.null(),
});

/** Test results of all jobs whose reports the caller may read. See docs/api/artifacts.md#6. */
export const getPipelineTestReport = operation({
  name: 'ci.pipelines.test-report',
  description: 'Read from what jobs left as `reports: junit`, without runs that were replaced; a suite for each job.',
  refusals: ['pipeline.not_found'],
  http: get('/projects/:id/pipelines/:pipeline_id/test_report'),
  summary: 'Test report of a pipeline',
  access: reading,
  input: z.object(pipeline),
  output: z.object({
    ...testTotals,
    test_suites: z.array(z.object({ ...testSuite, test_cases: z.array(TestCase) })),
  }),
});

/** The same without the cases. */
export const getPipelineTestReportSummary = operation({
  name: 'ci.pipelines.test-report-summary',
  description: 'As the test report, without its cases.',
  refusals: ['pipeline.not_found'],
  http: get('/projects/:id/pipelines/:pipeline_id/test_report_summary'),
  summary: 'Summary of the test report of a pipeline',
  access: reading,
  input: z.object(pipeline),
  output: z.object({
    total: z.object({
      time: z.number().describe('Seconds'),
      count: z.int(),
      success: z.int(),
      failed: z.int(),
      skipped: z.int(),
      error: z.int(),
      suite_error: z.string().nullable().describe('Of the first suite that has one'),
    }),
    test_suites: z.array(z.object({ ...testSuite, build_ids: z.array(id) })),
  }),
});

export const createPipeline = operation({
  name: 'ci.pipelines.create',
  description:
    'Creates a pipeline from the commit of the ref and its `.gitlab-ci.yml`. If that fails, nothing is stored.',
  refusals: ['pipeline.invalid'],
  http: post('/projects/:id/pipeline'),
  summary: 'Run a pipeline',
  access: developing,
  input: z.object({
    ...projectRef,
    ref: text.describe('Branch or tag'),
    variables: z
      .array(z.object({ key: z.string(), value: variableValue, variable_type: variableType.default('env_var') }))
      .max(mostVariables)
      .default([]),
  }),
  output: Pipeline,
});

/** The merge request of a pipeline, for its jobs. */
const PipelineMergeRequest = z.object({
  id,
  iid: id,
  title: z.string(),
  labels: z.array(z.string()),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project: z.object({ id, path: z.string() }),
  target_project: z.object({ id, path: z.string() }),
  diff_base_sha: z.string().nullable(),
});
export type PipelineMergeRequest = z.infer<typeof PipelineMergeRequest>;

/**
 * Creates a pipeline for a merge request from its head and pipeline file, in the project of the context: the target,
 * or the source fork. The caller may push to its source. @throws pipeline.invalid
 */
export const createPipelineOfMergeRequest = operation({
  name: 'ci.pipelines.create-of-merge-request',
  access: internalForCaller(),
  input: z.object({ merge_request: PipelineMergeRequest }),
  output: Pipeline,
});

/**
 * The same because of an event of the merge request, such as a push: nothing is created if no job requests it, if the
 * head's message or `is_skipped` skips it, or if the head already has one. For the same callers.
 */
export const ensurePipelineOfMergeRequest = operation({
  name: 'ci.pipelines.ensure-of-merge-request',
  access: internalForCaller(),
  input: z.object({
    merge_request: PipelineMergeRequest,
    key: z.string().max(100).describe('The head; nothing is made once there is another'),
    is_skipped: z.boolean().default(false),
  }),
  output: nothing(),
});

/** Pipelines of several refs, newest first, for readers of the pipelines of the project. @throws as listPipelines */
export const listPipelinesOfRefs = operation({
  name: 'ci.pipelines.list-of-refs',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ refs: z.array(z.string()).max(10), sha: z.string().optional() }),
  output: page(PipelineSummary),
});

/** A job in the payload of a pipeline hook. */
const HookBuild = z.object({
  id,
  stage: z.string(),
  name: z.string(),
  status: z.string(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  duration: z.number().nullable().describe('Seconds'),
  queued_duration: z.number().nullable().describe('Seconds'),
  failure_reason: z.string().nullable(),
  when: z.string(),
  manual: z.boolean(),
  allow_failure: z.boolean(),
  user_id: id.nullable(),
  runner: z
    .object({
      id,
      description: z.string().nullable(),
      runner_type: z.string(),
      active: z.boolean(),
      is_shared: z.boolean(),
      tags: z.array(z.string()),
    })
    .nullable(),
  artifacts_file: z.object({ filename: z.string().nullable(), size: z.int().nullable() }),
  environment: z.object({ name: z.string(), action: z.string(), deployment_tier: z.string().nullable() }).nullable(),
});

/** Current details of a pipeline for the payload of a hook, besides its event; null if the pipeline was deleted. */
export const pipelineHookDetails = operation({
  name: 'ci.pipelines.hook-details',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ pipeline_id: id }),
  output: z
    .object({
      queued_duration: z.number().nullable().describe('Seconds until the first job ran'),
      variables: z.array(z.object({ key: z.string(), value: z.string() })).describe('Variables given at creation'),
      commit: z
        .object({ message: z.string(), timestamp: time, author_name: z.string(), author_email: z.string() })
        .nullable(),
      merge_request: PipelineMergeRequest.pick({
        id: true,
        iid: true,
        title: true,
        source_branch: true,
        target_branch: true,
        source_project: true,
        target_project: true,
      }).nullable(),
      source_pipeline: z.object({ pipeline_id: id, job_id: id }).nullable(),
      builds: z.array(HookBuild),
    })
    .nullable(),
});
export type PipelineHookDetails = NonNullable<z.infer<(typeof pipelineHookDetails)['output']>>;

export const cancelPipeline = operation({
  name: 'ci.pipelines.cancel',
  description: 'Jobs that have not ended are canceled.',
  http: post('/projects/:id/pipelines/:pipeline_id/cancel'),
  summary: 'Cancel the jobs of a pipeline',
  access: developing,
  input: z.object(pipeline),
  output: Pipeline,
});

export const retryPipeline = operation({
  name: 'ci.pipelines.retry',
  description: 'Failed and canceled jobs run again, and those skipped because of them.',
  http: post('/projects/:id/pipelines/:pipeline_id/retry'),
  summary: 'Run the failed jobs of a pipeline again',
  access: developing,
  input: z.object(pipeline),
  output: Pipeline,
});

export const deletePipeline = operation({
  name: 'ci.pipelines.delete',
  description: 'With its jobs, their output and artifacts.',
  http: del('/projects/:id/pipelines/:pipeline_id'),
  summary: 'Delete a pipeline',
  access: onProject({ feature: 'builds', level: Access.Owner }),
  input: z.object(pipeline),
  output: nothing(),
});
