import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  del,
  errors,
  get,
  id,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  text,
  time,
} from '../operation';
import { PipelineSummary } from './pipeline';
import { CiVariable, variableType, variableValue } from './variable';

export const scheduleErrors = errors('pipeline_schedule', {
  notFound: {
    status: 404,
    message: '404 Pipeline Schedule Not Found',
    means: 'No such schedule in the project, or none the caller may see.',
  },
  variableNotFound: {
    status: 404,
    message: '404 Pipeline Schedule Variable Not Found',
    means: 'The schedule has no variable of that key.',
  },
});

/** A schedule in lists. See docs/api/pipelines.md#4. */
export const PipelineScheduleBasics = z.object({
  id,
  description: z.string(),
  ref: z.string(),
  cron: z.string(),
  cron_timezone: z.string(),
  next_run_at: time.nullable(),
  active: z.boolean(),
  created_at: time,
  updated_at: time,
  owner: UserSummary.nullable(),
  deactivation_reason: z.string().optional().describe('Why the server switched it off; absent unless it did'),
});

/** One schedule with its last pipeline, and with its variables for callers who may change it. */
export const PipelineSchedule = PipelineScheduleBasics.extend({
  last_pipeline: PipelineSummary.nullable(),
  variables: z.array(CiVariable).optional(),
});

const onBuilds = (level: typeof Access.None | typeof Access.Developer = Access.None) =>
  onProject({ feature: 'builds', level });
const reading = onProject({ feature: 'builds', anonymous: true });
const schedule = { ...projectRef, pipeline_schedule_id: id };

const ref = text.refine((name) => name.trim() !== '', 'is empty');

export const listSchedules = operation({
  name: 'ci.schedules.list',
  description: 'For developers; for readers of the project if pipelines are public.',
  refusals: ['common.forbidden'],
  http: get('/projects/:id/pipeline_schedules'),
  summary: 'Pipeline schedules of a project',
  access: reading,
  input: z.object({ ...projectRef, scope: z.enum(['active', 'inactive']).optional() }),
  output: page(PipelineScheduleBasics),
});

export const getSchedule = operation({
  name: 'ci.schedules.get',
  refusals: ['pipeline_schedule.not_found'],
  http: get('/projects/:id/pipeline_schedules/:pipeline_schedule_id'),
  summary: 'One pipeline schedule with its last pipeline',
  access: reading,
  input: z.object(schedule),
  output: PipelineSchedule,
});

export const createSchedule = operation({
  name: 'ci.schedules.create',
  description: 'The caller becomes its owner; its pipelines run as that user.',
  refusals: ['common.invalid_record for cron, zone and blanks'],
  http: post('/projects/:id/pipeline_schedules'),
  summary: 'Create a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object({
    ...projectRef,
    description: z.string().max(2000),
    ref: ref.describe('Branch or tag'),
    cron: z.string().describe('Five fields, as `0 1 * * mon-fri`, or a macro as `@daily`'),
    cron_timezone: z.string().default('UTC').describe('Name in the tz database, or a friendly one'),
    active: z.boolean().default(true),
  }),
  output: PipelineSchedule,
});

export const updateSchedule = operation({
  name: 'ci.schedules.update',
  description: 'For the owner and maintainers. Each change recalculates the next run.',
  refusals: ['common.forbidden'],
  http: put('/projects/:id/pipeline_schedules/:pipeline_schedule_id'),
  summary: 'Change a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object({
    ...schedule,
    description: z.string().max(2000).optional(),
    ref: ref.optional(),
    cron: z.string().optional(),
    cron_timezone: z.string().optional(),
    active: z.boolean().optional(),
  }),
  output: PipelineSchedule,
});

export const takeScheduleOwnership = operation({
  name: 'ci.schedules.take-ownership',
  description: 'For maintainers, and for developers who own it already.',
  http: post('/projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership'),
  summary: 'Become the owner of a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object(schedule),
  output: PipelineSchedule,
});

export const deleteSchedule = operation({
  name: 'ci.schedules.delete',
  description: 'For the owner, and for maintainers. Its pipelines stay.',
  http: del('/projects/:id/pipeline_schedules/:pipeline_schedule_id', { success: 200 }),
  summary: 'Delete a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object(schedule),
  output: PipelineSchedule,
});

export const playSchedule = operation({
  name: 'ci.schedules.play',
  description:
    "Runs it now in the caller's name; the next scheduled run stays as it is. The pipeline exists when this answers.",
  http: post('/projects/:id/pipeline_schedules/:pipeline_schedule_id/play'),
  summary: 'Run a pipeline schedule now',
  access: onBuilds(Access.Developer),
  input: z.object(schedule),
  output: z.object({ message: z.string() }),
});

export const listSchedulePipelines = operation({
  name: 'ci.schedules.pipelines',
  description: 'Oldest first.',
  http: get('/projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines'),
  summary: 'Pipelines that a schedule created',
  access: reading,
  input: z.object(schedule),
  output: page(PipelineSummary),
});

const variable = { ...schedule, key: z.string() };

export const listScheduleVariables = operation({
  name: 'ci.schedule-variables.list',
  description: 'For users who may change the schedule.',
  http: get('/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables'),
  summary: 'Variables of a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object(schedule),
  output: page(CiVariable),
});

export const createScheduleVariable = operation({
  name: 'ci.schedule-variables.create',
  refusals: ['common.invalid_record for a key that is taken, too long or of other characters'],
  http: post('/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables'),
  summary: 'Add a variable to a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object({ ...variable, value: variableValue, variable_type: variableType.default('env_var') }),
  output: CiVariable,
});

export const updateScheduleVariable = operation({
  name: 'ci.schedule-variables.update',
  refusals: ['pipeline_schedule.variable_not_found'],
  http: put('/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key'),
  summary: 'Change a variable of a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object({ ...variable, value: variableValue, variable_type: variableType.optional() }),
  output: CiVariable,
});

export const deleteScheduleVariable = operation({
  name: 'ci.schedule-variables.delete',
  refusals: ['pipeline_schedule.variable_not_found'],
  http: del('/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key', { success: 202 }),
  summary: 'Remove a variable from a pipeline schedule',
  access: onBuilds(Access.Developer),
  input: z.object(variable),
  output: CiVariable,
});
