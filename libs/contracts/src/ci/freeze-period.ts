import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
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
} from '../operation';

export const freezePeriodErrors = errors('freeze_period', {
  notFound: { status: 404, message: '404 Freeze Period Not Found', means: 'No such freeze period in the project.' },
});

/** A period without deployments. See docs/api/deployments.md#6. */
export const FreezePeriod = z.object({
  id,
  freeze_start: z.string(),
  freeze_end: z.string(),
  cron_timezone: z.string(),
  created_at: time,
  updated_at: time,
});

const reading = onProject({ feature: 'builds', level: Access.Reporter });
const maintaining = onProject({ feature: 'builds', level: Access.Maintainer });
const one = { ...projectRef, freeze_period_id: id.describe('Of the freeze period') };
const facts = {
  freeze_start: text.max(1000).describe('When it begins, as a cron expression: `0 23 * * 5`'),
  freeze_end: text.max(1000).describe('When it ends, as a cron expression: `0 7 * * 1`'),
  cron_timezone: text.max(255).describe('Name in the tz database, or a friendly one'),
};
const whenUnreadable = 'common.invalid_record for cron expressions and zones that cannot be read';

export const listFreezePeriods = operation({
  name: 'ci.freeze-periods.list',
  summary: 'Freeze periods of a project',
  http: get('/projects/:id/freeze_periods'),
  access: reading,
  input: z.object(projectRef),
  output: page(FreezePeriod),
});

export const getFreezePeriod = operation({
  name: 'ci.freeze-periods.get',
  summary: 'One freeze period',
  refusals: ['freeze_period.not_found'],
  http: get('/projects/:id/freeze_periods/:freeze_period_id'),
  access: reading,
  input: z.object(one),
  output: FreezePeriod,
});

export const createFreezePeriod = operation({
  name: 'ci.freeze-periods.create',
  summary: 'Say when nothing is to be deployed',
  refusals: [whenUnreadable],
  http: post('/projects/:id/freeze_periods'),
  access: maintaining,
  input: z.object({ ...projectRef, ...facts, cron_timezone: facts.cron_timezone.default('UTC') }),
  output: FreezePeriod,
});

export const updateFreezePeriod = operation({
  name: 'ci.freeze-periods.update',
  summary: 'Change a freeze period',
  refusals: ['freeze_period.not_found', whenUnreadable],
  http: put('/projects/:id/freeze_periods/:freeze_period_id'),
  access: maintaining,
  input: z
    .object({
      ...one,
      freeze_start: facts.freeze_start.optional(),
      freeze_end: facts.freeze_end.optional(),
      cron_timezone: facts.cron_timezone.optional(),
    })
    .refine(...someChangeOf(...Object.keys(facts))),
  output: FreezePeriod,
});

export const deleteFreezePeriod = operation({
  name: 'ci.freeze-periods.delete',
  summary: 'Remove a freeze period',
  refusals: ['freeze_period.not_found'],
  http: del('/projects/:id/freeze_periods/:freeze_period_id'),
  access: maintaining,
  input: z.object(one),
  output: nothing(),
});
