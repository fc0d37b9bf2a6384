import { z } from 'zod';
import { isDay, readTimestamp } from './calendar';

/** A record's public id. */
export const id = z.int().positive();

/** Path parameter of everything below a project or group: numeric id or full path. */
export const projectRef = { id: z.string().describe('Id or URL-encoded path of the project') };
export const groupRef = { id: z.string().describe('Id or URL-encoded path of the group') };

/** An ISO 8601 point in time, with or without time and zone; stored and answered in UTC with milliseconds. */
export const timestamp = z
  .string()
  .refine((text) => readTimestamp(text) !== undefined, { error: 'is invalid', abort: true })
  .overwrite((text) => readTimestamp(text)?.toISOString() ?? text)
  .meta({ format: 'date-time' });

/** A calendar day. */
export const date = z.string().refine(isDay, 'is invalid').meta({ format: 'date' });

/** Text that must not be empty; the message is `X is empty` otherwise. */
export const text = z.string().min(1);

/** Names or numbers as an array or joined by commas. See docs/api/requests.md#6. */
export const commaList = <T extends z.ZodType>(item: T, most = 1000) =>
  z.array(item).max(most).meta({ 'x-comma-joined': true });

/** Values by free keys, as `custom_attributes[key]=value`. */
export const hash = z.record(z.string(), z.string());

export const sorting = <const F extends string>(fields: readonly [F, ...F[]], direction: 'asc' | 'desc' = 'desc') => ({
  order_by: z.enum(fields).default(fields[0]),
  sort: z.enum(['asc', 'desc']).default(direction),
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** For `.refine`: at least one of the parameters is given. Message: docs/api/requests.md#9. */
export const atLeastOneOf = (...names: string[]) =>
  [
    (input: Record<string, unknown>) => names.some((name) => input[name] !== undefined),
    { message: `${names.join(', ')} are missing, at least one parameter must be provided` },
  ] as const;

/** The same for updates, where any change counts, also a field that is unknown here. */
export const someChangeOf = (...names: string[]) => {
  const [isGiven, { message }] = atLeastOneOf(...names);
  return [isGiven, { message, params: { asksForChange: true } }] as const;
};

/** For `.refine`: not both of the parameters are given. */
export const mutuallyExclusive = (...names: string[]) =>
  [
    (input: Record<string, unknown>) => names.filter((name) => isGiven(input[name])).length <= 1,
    { message: `${names.join(', ')} are mutually exclusive` },
  ] as const;

/** For `.refine`: all of the parameters or none. */
export const allOrNoneOf = (...names: string[]) =>
  [
    (input: Record<string, unknown>) => [0, names.length].includes(names.filter((name) => isGiven(input[name])).length),
    { message: `${names.join(', ')} provide all or none of parameters` },
  ] as const;

/** A time in UTC, as in views: `2020-10-15T08:12:01.123Z`. */
export const time = z.string().meta({ format: 'date-time' });
