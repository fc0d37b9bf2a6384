import { z } from 'zod';
import { errors, id, time } from '../operation';
import { namePattern } from '../registry/name-pattern';

export const hookErrors = errors('hook', {
  notFound: { status: 404, message: '404 Not found', means: 'No such hook there.' },
  schemeBlocked: {
    status: 400,
    message: { url: ['is blocked: Only allowed schemes are http, https'] },
    means: 'Hooks are called by http and https alone.',
  },
  addressBlocked: {
    status: 400,
    message: { url: ['is blocked: Requests to the local network are not allowed'] },
    means: 'The address leads into the local network, which the application settings do not allow.',
  },
  maskedCredentials: {
    status: 400,
    message: { url: ['contains ***** as name or password: enter the real name and password'] },
    means: 'The URL contains ***** as name or password, and is not the stored URL with its mask.',
  },
  eventNotFound: { status: 404, message: '404 Not found', means: 'The hook received no such event recently.' },
  notDelivered: {
    status: 422,
    message: '422 Unprocessable Entity',
    means: 'The receiver did not accept it. The message has the reason, the list of events the response.',
  },
  tooMany: { status: 400, message: { base: ['Maximum number of hooks exceeded'] }, means: 'There are many already.' },
});

/** Errors of a refused URL. */
export const hookUrlRefusals = ['hook.scheme_blocked', 'hook.address_blocked', 'hook.masked_credentials'];

/** A word of a header or a variable, shown without its value. */
const KeyOnly = z.object({ key: z.string() });

export const branchFilterStrategies = ['wildcard', 'regex', 'all_branches'] as const;

/** Fields of hooks of every kind. See docs/api/hooks.md#1. */
export const HookFacts = z.object({
  id,
  url: z.string().describe('Name and password in it are masked'),
  name: z.string().nullable(),
  description: z.string().nullable(),
  created_at: time,
  enable_ssl_verification: z.boolean(),
  push_events_branch_filter: z.string().nullable(),
  branch_filter_strategy: z.enum(branchFilterStrategies),
  alert_status: z.enum(['executable', 'temporarily_disabled', 'disabled']),
  disabled_until: time.nullable().describe('When it is tried again, while its receiver fails'),
  url_variables: z.array(KeyOnly),
  custom_headers: z.array(KeyOnly),
});

/** Limit of headers, or variables of the URL, of one hook. */
export const mostOfHook = 20;
const key = z.string().regex(/^[A-Za-z][\w.-]{0,99}$/, 'is invalid');
const oneLine = z.string().regex(/^\P{Cc}*$/u, 'is invalid');
/** Headers that define how a request is parsed. */
const ofTheMessage =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;

const customHeader = z.object({
  key: key.refine((name) => !ofTheMessage.test(name), 'is invalid').describe('Name of the header'),
  value: oneLine.min(1).max(2048).describe('Its value; write-only'),
});
const urlVariable = z.object({
  key: key.describe('Name of the variable, as `{name}` in the URL'),
  value: oneLine.min(1).max(2048).describe('The replacement; write-only'),
});

/** Parameters of a hook of any kind, except its events. */
export const hookOptions = {
  token: oneLine.max(2048).optional().describe('Secret that is sent as `X-Gitlab-Token`; write-only'),
  signing_token: oneLine
    .max(2048)
    .optional()
    .describe('Key of the signature in `webhook-signature`; default: the token; write-only'),
  name: z.string().max(255).optional(),
  description: z.string().max(2048).optional(),
  enable_ssl_verification: z.boolean().optional().describe('Whether the certificate of the receiver is checked'),
  push_events_branch_filter: namePattern(5_000).optional().describe('Branches whose pushes are sent; empty for all'),
  branch_filter_strategy: z
    .enum(branchFilterStrategies)
    .optional()
    .describe('How the filter is read: with `*` for anything, or as a regular expression of RE2'),
  custom_headers: z.array(customHeader).max(mostOfHook).optional().describe('Headers to send, in place of all before'),
  url_variables: z
    .array(urlVariable)
    .max(mostOfHook)
    .optional()
    .describe('Secret parts of the URL; replaces all earlier ones'),
};

export const hookUrl = z
  .string()
  .min(1)
  .max(2048)
  .describe('Address to send to, by http or https; a name and password in it are sent as basic authentication');

/** A delivery of a hook. See docs/api/hooks.md#6. */
export const HookEvent = z.object({
  id,
  url: z.string(),
  trigger: z.string(),
  request_headers: z.record(z.string(), z.string()),
  request_data: z.record(z.string(), z.unknown()),
  response_headers: z.record(z.string(), z.string()),
  response_body: z.string().describe('The first bytes; without a response, the error'),
  response_status: z.string().describe('`internal error` without an answer'),
  execution_duration: z.number().describe('Seconds'),
  state: z
    .enum(['waiting', 'tried', 'sent', 'refused', 'dead', 'dropped'])
    .describe('`waiting` is tried again, `dead` was given up'),
  attempts: z.int(),
  created_at: time,
});
export type HookEvent = z.infer<typeof HookEvent>;

const statusCode = z
  .string()
  .regex(/^(?:[1-5]\d\d|successful|client_failure|server_failure)$/, 'does not have a valid value');

export const hookEventFilter = {
  status: statusCode
    .optional()
    .describe('Only those answered so: a status, or `successful`, `client_failure`, `server_failure`'),
};

export const Resent = z.object({ response_status: z.int() });
