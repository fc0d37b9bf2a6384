import { z } from 'zod';

/**
 * Rate limits of the whole instance, in the order of their checks: the first enabled one that matches counts a
 * request. See docs/api/requests.md#11.
 */
const throttles = {
  unauthenticated_packages_api: [800, 15, 'packages, by address without sign-in'],
  authenticated_packages_api: [1000, 15, 'packages, by user'],
  unauthenticated_files_api: [125, 15, 'repository files, by address without sign-in'],
  authenticated_files_api: [500, 15, 'files of repositories, by user'],
  unauthenticated_api: [3600, 3600, 'the API, by address without sign-in'],
  authenticated_api: [7200, 3600, 'the interface, by user'],
  unauthenticated_web: [3600, 3600, 'pages, by address without sign-in'],
  authenticated_web: [7200, 3600, 'pages, by user'],
} as const;

export type Throttle = keyof typeof throttles;
export const throttleNames = Object.keys(throttles) as Throttle[];

type Of<Suffix extends string, T> = { [K in Throttle as `throttle_${K}_${Suffix}`]: T };
type ThrottleSchemas = Of<'enabled', z.ZodBoolean> &
  Of<'requests_per_period' | 'period_in_seconds', z.ZodInt> & {
    rate_limiting_response_text: z.ZodNullable<z.ZodString>;
  };

const longestSeconds = 30 * 24 * 3600;

/** The settings, with the names of v4 servers. */
export const throttleSettings = {
  ...Object.fromEntries(
    Object.entries(throttles).flatMap(([name, [, , about]]) => [
      [`throttle_${name}_enabled`, z.boolean().describe(`Whether requests of ${about} are limited`)],
      [`throttle_${name}_requests_per_period`, z.int().min(1).describe(`How many requests of ${about}`)],
      [
        `throttle_${name}_period_in_seconds`,
        z.int().min(1).max(longestSeconds).describe(`In how many seconds, of requests of ${about}`),
      ],
    ]),
  ),
  rate_limiting_response_text: z
    .string()
    .max(1000)
    .nullable()
    .describe('Text of the answer above a limit; default `Retry later`'),
} as ThrottleSchemas;

export const defaultThrottles = {
  ...Object.fromEntries(
    Object.entries(throttles).flatMap(([name, [requests, seconds]]) => [
      [`throttle_${name}_enabled`, false],
      [`throttle_${name}_requests_per_period`, requests],
      [`throttle_${name}_period_in_seconds`, seconds],
    ]),
  ),
  rate_limiting_response_text: null,
} as Of<'enabled', boolean> &
  Of<'requests_per_period' | 'period_in_seconds', number> & { rate_limiting_response_text: string | null };
