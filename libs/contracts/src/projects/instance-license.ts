import { z } from 'zod';
import {
  administrator,
  date,
  del,
  errors,
  get,
  id,
  nothing,
  operation,
  page,
  post,
  put,
  text,
  time,
} from '../operation';

export const mostLicenses = 100;
/** Longer keys are refused unread. */
export const longestLicenseKey = 20_000;

export const licenseErrors = errors('license', {
  notFound: { status: 404, message: '404 Not found', means: 'No such licence.' },
  invalid: {
    status: 400,
    message: 'The license key is invalid.',
    means: 'The key is none, or of a licence that is over; the text says which.',
  },
  tooMany: { status: 400, message: '400 Bad request - at most 100 licenses', means: 'Others have to go first.' },
});

/** A licence key; nothing depends on it. See docs/api/instance.md#9. */
const InstanceLicense = z.object({
  id,
  plan: z.string(),
  created_at: time,
  starts_at: date,
  expires_at: date.nullable().describe('The first day on which it is over'),
  historical_max: z.int().describe('Highest number of active users so far'),
  maximum_user_count: z.int().describe('The same'),
  expired: z.boolean(),
  overage: z.int().describe('Users beyond the limit'),
  user_limit: z.int().nullable().describe('How many users it is for; null for any number'),
  active_users: z.int().describe('Users who may sign in'),
  licensee: z.object({ Name: z.string(), Company: z.string().optional(), Email: z.string().optional() }),
  add_ons: z.record(z.string(), z.int()),
});
export type InstanceLicense = z.infer<typeof InstanceLicense>;

const all = { access: administrator(), tier: 'enterprise' } as const;

export const getInstanceLicense = operation({
  name: 'projects.instance-licenses.get',
  summary: 'The licence in force; null without any',
  http: get('/license'),
  ...all,
  input: z.object({}),
  output: InstanceLicense.nullable(),
});

export const listInstanceLicenses = operation({
  name: 'projects.instance-licenses.list',
  summary: 'All licences, the latest first',
  http: get('/licenses'),
  ...all,
  input: z.object({}),
  output: page(InstanceLicense),
});

export const showInstanceLicense = operation({
  name: 'projects.instance-licenses.show',
  summary: 'One licence',
  refusals: ['license.not_found'],
  http: get('/license/:id'),
  ...all,
  input: z.object({ id }),
  output: InstanceLicense,
});

export const addInstanceLicense = operation({
  name: 'projects.instance-licenses.add',
  summary: 'Add a licence',
  description: 'If a licence with that key exists, it stays unchanged and is the answer.',
  refusals: ['license.invalid', 'license.too_many'],
  http: post('/license'),
  ...all,
  input: z.object({
    license: text.max(longestLicenseKey).describe('Its key: base64 of JSON, as docs/api/instance.md#9 has it'),
  }),
  output: InstanceLicense,
});

export const deleteInstanceLicense = operation({
  name: 'projects.instance-licenses.delete',
  summary: 'Delete a licence',
  refusals: ['license.not_found'],
  http: del('/license/:id'),
  ...all,
  input: z.object({ id }),
  output: nothing(),
});

export const refreshBillableUsers = operation({
  name: 'projects.instance-licenses.refresh',
  summary: 'Count the users of a licence',
  refusals: ['license.not_found'],
  http: put('/license/:id/refresh_billable_users', { success: 202 }),
  ...all,
  input: z.object({ id }),
  output: z.object({ success: z.literal(true) }),
});
