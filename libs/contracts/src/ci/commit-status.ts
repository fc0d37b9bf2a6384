import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { Access, errors, get, id, onProject, operation, page, post, projectRef, time } from '../operation';
import { jobStatuses } from './job';

export const commitStatusErrors = errors('commit_status', {
  noReference: {
    status: 404,
    message: '404 References for commit Not Found',
    means: 'No branch has the commit, and no `ref` was given; or there is no such ref.',
  },
  notReached: {
    status: 400,
    message: 'Cannot transition status',
    means: 'The status is in that state already, or has left it behind.',
  },
  tooMany: { status: 400, message: 'The pipeline has too many statuses', means: 'There is room for 500.' },
});

/** States that programs elsewhere may report. */
export const reportedStates = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;

/** The status of a job, or of an external check of a commit. See docs/api/pipelines.md#12. */
export const CommitStatus = z.object({
  id,
  sha: z.string(),
  ref: z.string(),
  status: z.enum(jobStatuses),
  name: z.string(),
  target_url: z.string().nullable(),
  description: z.string().nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  allow_failure: z.boolean(),
  coverage: z.number().nullable(),
  pipeline_id: id,
  author: UserSummary.nullable(),
});

const sha = z.string().min(1).max(1024).describe('Commit, branch or tag');

export const listCommitStatuses = operation({
  name: 'ci.commit-statuses.list',
  description:
    'Statuses of jobs and statuses that other programs reported, by pipeline. For developers; for readers if pipelines are public.',
  refusals: ['repository_content.commit_not_found'],
  http: get('/projects/:id/repository/commits/:sha/statuses'),
  summary: 'Statuses of a commit',
  access: onProject({ feature: 'builds', anonymous: true }),
  input: z.object({
    ...projectRef,
    sha,
    ref: z.string().optional().describe('Of pipelines of that branch or tag'),
    stage: z.string().optional().describe('`external` for reported statuses'),
    name: z.string().optional().describe('Of that job or status'),
    pipeline_id: id.optional().describe('Of that pipeline'),
    all: z.boolean().default(false).describe('Also those that a later one of their name has replaced'),
    order_by: z.enum(['id', 'pipeline_id']).default('id').describe('Both are by pipeline, and by id within it'),
    sort: z.enum(['asc', 'desc']).default('asc'),
  }),
  output: page(CommitStatus),
});

export const setCommitStatus = operation({
  name: 'ci.commit-statuses.set',
  description:
    'In the newest pipeline of the commit, or in the given one; without a pipeline, one with the source `external` is created. An unfinished status of the same name is updated; a finished one is replaced.',
  refusals: [
    'repository_content.commit_not_found',
    'pipeline.not_found',
    'commit_status.no_reference',
    'commit_status.not_reached',
    'commit_status.too_many',
  ],
  http: post('/projects/:id/statuses/:sha'),
  summary: 'Report the status of a commit',
  access: onProject({ feature: 'builds', level: Access.Developer }),
  input: z.object({
    ...projectRef,
    sha,
    state: z.enum(reportedStates).describe('How it is now'),
    ref: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Branch or tag that is meant; one that has the commit unless given'),
    name: z.string().min(1).max(255).optional().describe('`default` unless given'),
    context: z.string().min(1).max(255).optional().describe('Another word for `name`'),
    target_url: z
      .string()
      .max(255)
      .regex(/^https?:\/\//i, 'is blocked: Only allowed schemes are http, https')
      .optional()
      .describe('URL with details'),
    description: z.string().max(255).optional().describe('Of the state, in a few words'),
    coverage: z.number().min(0).max(100).optional().describe('Percent'),
    pipeline_id: id.optional().describe('Pipeline of the status; default: the newest of the commit'),
  }),
  output: CommitStatus,
});
