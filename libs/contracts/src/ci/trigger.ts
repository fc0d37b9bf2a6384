import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  del,
  errors,
  get,
  hash,
  id,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  someChangeOf,
  text,
  time,
  tokenBearer,
} from '../operation';
import { Pipeline } from './pipeline';
import { mostVariables, variableValue } from './variable';

export const triggerErrors = errors('pipeline_trigger', {
  notFound: { status: 404, message: '404 Trigger Not Found', means: 'No such trigger in the project.' },
  unknownToken: { status: 404, message: '404 Not Found', means: 'The project has no trigger with that token.' },
});

/** A token with which other systems run pipelines. See docs/api/pipelines.md#11. */
export const Trigger = z.object({
  id,
  token: z.string().describe('Whole for its owner alone; others see its beginning'),
  description: z.string(),
  created_at: time,
  updated_at: time,
  deleted_at: z.null(),
  last_used: time.nullable(),
  owner: UserSummary.nullable(),
});

const maintaining = onProject({ feature: 'builds', level: Access.Maintainer });
const trigger = { ...projectRef, trigger_id: id };
const description = text.max(255);

export const listTriggers = operation({
  name: 'ci.triggers.list',
  summary: 'Trigger tokens of a project',
  http: get('/projects/:id/triggers'),
  access: maintaining,
  input: z.object(projectRef),
  output: page(Trigger),
});

export const getTrigger = operation({
  name: 'ci.triggers.get',
  summary: 'One trigger token',
  refusals: ['pipeline_trigger.not_found'],
  http: get('/projects/:id/triggers/:trigger_id'),
  access: maintaining,
  input: z.object(trigger),
  output: Trigger,
});

export const createTrigger = operation({
  name: 'ci.triggers.create',
  summary: 'Make a trigger token',
  description: 'Pipelines that are run with it run in the name of the caller.',
  http: post('/projects/:id/triggers'),
  access: maintaining,
  input: z.object({ ...projectRef, description }),
  output: Trigger,
});

export const updateTrigger = operation({
  name: 'ci.triggers.update',
  summary: 'Change the description of a trigger token',
  refusals: ['pipeline_trigger.not_found'],
  http: put('/projects/:id/triggers/:trigger_id'),
  access: maintaining,
  input: z.object({ ...trigger, description: description.optional() }).refine(...someChangeOf('description')),
  output: Trigger,
});

export const deleteTrigger = operation({
  name: 'ci.triggers.delete',
  summary: 'Remove a trigger token',
  refusals: ['pipeline_trigger.not_found'],
  http: del('/projects/:id/triggers/:trigger_id'),
  access: maintaining,
  input: z.object(trigger),
  output: nothing(),
});

export const runTrigger = operation({
  name: 'ci.triggers.run',
  summary: 'Run a pipeline with a trigger token',
  description: "In the name of the token's owner, with the source `trigger`. The token alone is looked at.",
  refusals: ['pipeline_trigger.unknown_token', 'pipeline.invalid'],
  http: [post('/projects/:id/trigger/pipeline'), post('/projects/:id/ref/:ref/trigger/pipeline')],
  access: tokenBearer(),
  input: z.object({
    ...projectRef,
    ref: text.describe('Branch or tag'),
    token: text.describe('Of a trigger of the project'),
    variables: hash
      .refine((map) => Object.keys(map).length <= mostVariables, 'are too many')
      .refine((map) => Object.values(map).every((value) => variableValue.safeParse(value).success), 'are too long')
      .default({})
      .describe('Values by keys'),
  }),
  output: Pipeline,
});
