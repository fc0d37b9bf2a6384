import { z } from 'zod';
import { atLeastOneOf, get, operation, patch, put, signedIn, time } from '../operation';

/** The status that a user sets. See docs/api/users.md#8. */
export const UserStatus = z.object({
  emoji: z.string().nullable(),
  message: z.string().nullable(),
  message_html: z.string(),
  availability: z.enum(['not_set', 'busy']).nullable(),
  clear_status_at: time.nullable(),
});
export type UserStatus = z.infer<typeof UserStatus>;

export const statusPeriods = ['30_minutes', '3_hours', '8_hours', '1_day', '3_days', '7_days', '30_days'] as const;

const given = {
  emoji: z
    .string()
    .regex(/^[a-z0-9_+-]{0,100}$/, 'is invalid')
    .optional()
    .describe('Name of an emoji, without colons'),
  message: z.string().max(100).optional().describe('Message of the status'),
  availability: z.enum(['not_set', 'busy']).optional().describe('Whether the user is busy'),
  clear_status_after: z.enum(statusPeriods).nullable().optional().describe('When the status expires'),
};

export const getOwnStatus = operation({
  name: 'identity.user-statuses.get-own',
  summary: 'Status of the caller',
  http: get('/user/status'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: UserStatus,
});

export const getUserStatus = operation({
  name: 'identity.user-statuses.get',
  summary: 'Status of a user',
  refusals: ['user.not_found'],
  http: get('/users/:user/status'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({ user: z.string().describe('Id or username') }),
  output: UserStatus,
});

export const setOwnStatus = operation({
  name: 'identity.user-statuses.set',
  summary: 'Set the status of the caller',
  description:
    'Parameters that are not given are reset; without emoji, message and availability the status is removed.',
  http: put('/user/status'),
  access: signedIn(),
  input: z.object(given),
  output: UserStatus,
});

export const changeOwnStatus = operation({
  name: 'identity.user-statuses.change',
  summary: 'Change the status of the caller',
  description: 'Parameters that are not given stay unchanged.',
  http: patch('/user/status'),
  access: signedIn(),
  input: z.object(given).refine(...atLeastOneOf(...Object.keys(given))),
  output: UserStatus,
});
