import { z } from 'zod';
import {
  Access,
  administrator,
  anyone,
  commaList,
  del,
  errors,
  get,
  id,
  nothing,
  operation,
  page,
  post,
  put,
  someChangeOf,
  time,
  timestamp,
} from '../operation';

/** That one message is for. */
export const mostAimedLevels = 10;

export const broadcastMessageErrors = errors('broadcast_message', {
  notFound: { status: 404, message: '404 Not found', means: 'No such message.' },
  tooMany: {
    status: 400,
    message: '400 Bad request - at most 1000 broadcast messages',
    means: 'Others have to go first.',
  },
});

const themes = [
  'indigo',
  'light-indigo',
  'blue',
  'light-blue',
  'green',
  'light-green',
  'red',
  'light-red',
  'dark',
  'light',
] as const;

/** A message of administrators to all users for a time. See docs/api/instance.md#7. */
const BroadcastMessage = z.object({
  id,
  message: z.string(),
  starts_at: time,
  ends_at: time,
  color: z.string(),
  font: z.string(),
  theme: z.enum(themes),
  target_access_levels: z.array(z.int()).describe('Levels of the users who see it; empty for all'),
  target_path: z.string().nullable().describe('Paths on which it is shown, with `*` for anything'),
  broadcast_type: z.enum(['banner', 'notification']),
  dismissable: z.boolean(),
  active: z.boolean().describe('Whether its time is now'),
});
export type BroadcastMessage = z.infer<typeof BroadcastMessage>;

/** A message for the top of pages. */
export const Banner = BroadcastMessage.pick({
  ...{ message: true, starts_at: true, ends_at: true, target_access_levels: true, target_path: true },
});
export type Banner = z.infer<typeof Banner>;

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'is invalid');
const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer, Access.Owner] as const;
const level = z.int().refine((given) => levels.some((known) => known === given), {
  error: 'does not have a valid value',
});
const fields = {
  message: z.string().min(1).max(10_000),
  starts_at: timestamp.describe('Time of its start; default: now'),
  ends_at: timestamp.describe('Until when; an hour after the start, unless given'),
  color: color.describe('Of the background, as `#112233`'),
  font: color.describe('Colour of the text, as `#112233`'),
  theme: z.enum(themes).describe('Colours by name'),
  target_access_levels: commaList(level, mostAimedLevels).describe('Levels of the users who see it; default: all'),
  target_path: z.string().max(255).nullable().describe('Paths on which it is shown, with `*` for anything'),
  broadcast_type: z.enum(['banner', 'notification']).describe('How it is shown'),
  dismissable: z.boolean().describe('Whether readers may close it'),
};
const { message, ...others } = fields;
const optional = z.object(others).partial().shape;

export const listBroadcastMessages = operation({
  name: 'projects.broadcast-messages.list',
  summary: 'Broadcast messages, latest first',
  http: get('/broadcast_messages'),
  access: anyone(),
  input: z.object({}),
  output: page(BroadcastMessage),
});

export const getBroadcastMessage = operation({
  name: 'projects.broadcast-messages.get',
  summary: 'One broadcast message',
  refusals: ['broadcast_message.not_found'],
  http: get('/broadcast_messages/:id'),
  access: anyone(),
  input: z.object({ id }),
  output: BroadcastMessage,
});

export const createBroadcastMessage = operation({
  name: 'projects.broadcast-messages.create',
  summary: 'Create a broadcast message',
  description: 'By default it is shown for an hour from now.',
  refusals: ['common.invalid_record for an end before the start', 'broadcast_message.too_many'],
  http: post('/broadcast_messages'),
  access: administrator(),
  input: z.object({ message, ...optional }),
  output: BroadcastMessage,
});

export const updateBroadcastMessage = operation({
  name: 'projects.broadcast-messages.update',
  summary: 'Change a broadcast message',
  refusals: ['broadcast_message.not_found', 'common.invalid_record for an end before the start'],
  http: put('/broadcast_messages/:id'),
  access: administrator(),
  input: z.object({ id, message: message.optional(), ...optional }).refine(...someChangeOf(...Object.keys(fields))),
  output: BroadcastMessage,
});

export const deleteBroadcastMessage = operation({
  name: 'projects.broadcast-messages.delete',
  summary: 'Delete a broadcast message',
  refusals: ['broadcast_message.not_found'],
  http: del('/broadcast_messages/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});
