import { z } from 'zod';
import { secondsIn } from './duration';
import type { ArtifactSpec, CacheSpec } from './job-spec';
import { type ReportKind, reportKinds } from './report-kinds';

/* Files of a job: `artifacts`, `cache` and `dependencies`. */

const paths = z.array(z.string()).max(1000);
const whens = ['on_success', 'on_failure', 'always'] as const;

const expiry = z
  .union([z.number(), z.string()])
  .refine((value) => value === 'never' || secondsIn(value) !== undefined, 'should be a duration')
  .transform(String);

const listOfTexts = z.union([z.string(), paths]).transform((value) => [value].flat());

const coverageReport = z.object({ coverage_format: z.enum(['cobertura', 'jacoco']), path: z.string() }).strict();

const kinds = Object.keys(reportKinds) as ReportKind[];
const reports = z
  .object({
    ...(Object.fromEntries(kinds.map((kind) => [kind, listOfTexts.optional()])) as Record<
      ReportKind,
      z.ZodOptional<typeof listOfTexts>
    >),
    coverage_report: coverageReport.optional(),
  })
  .strict();

export const artifacts = z
  .object({
    paths: paths.default([]),
    exclude: paths.default([]),
    name: z.string().optional(),
    untracked: z.boolean().default(false),
    when: z.enum(whens).default('on_success'),
    expire_in: expiry.optional(),
    expose_as: z.string().max(100).optional(),
    public: z.boolean().optional(),
    access: z.enum(['all', 'developer', 'maintainer', 'none']).optional(),
    reports: reports.default({}),
  })
  .strict()
  .refine((given) => given.public === undefined || given.access === undefined, 'may not use both: public, access')
  .refine((given) => given.expose_as === undefined || given.paths.length > 0, 'needs paths for expose_as')
  .transform(artifactSpec);

/** The artifacts of a job without the keyword. */
export const noArtifacts: ArtifactSpec = artifacts.parse({});

type Given = z.infer<typeof reports>;

function artifactSpec(given: {
  paths: string[];
  exclude: string[];
  name?: string | undefined;
  untracked: boolean;
  when: (typeof whens)[number];
  expire_in?: string | undefined;
  public?: boolean | undefined;
  access?: ArtifactSpec['access'] | undefined;
  reports: Given;
}): ArtifactSpec {
  const { paths, exclude, untracked, when, name, expire_in: expireIn } = given;
  return {
    paths,
    exclude,
    untracked,
    when,
    name: name ?? null,
    expireIn: expireIn ?? null,
    access: given.access ?? (given.public === false ? 'developer' : 'all'),
    reports: reportsOf(given.reports),
  };
}

function reportsOf({ coverage_report: coverage, ...rest }: Given): ArtifactSpec['reports'] {
  const named = Object.entries(rest).flatMap(([kind, paths]) => (paths ? [{ kind: kind as ReportKind, paths }] : []));
  return coverage ? [...named, { kind: coverage.coverage_format, paths: [coverage.path] }] : named;
}

const cacheKey = z.union([
  z.string().min(1),
  z.object({ files: z.array(z.string()).min(1).max(2), prefix: z.string().optional() }).strict(),
]);

const oneCache = z
  .object({
    key: cacheKey.default('default'),
    paths: paths.default([]),
    untracked: z.boolean().default(false),
    unprotect: z.boolean().default(false),
    when: z.enum(whens).default('on_success'),
    // Variables are allowed; the runner resolves them.
    policy: z.string().default('pull-push'),
    fallback_keys: z.array(z.string()).max(5).default([]),
  })
  .strict()
  .transform(
    ({ fallback_keys, unprotect, ...rest }): CacheSpec => ({
      ...rest,
      isShared: unprotect,
      fallbackKeys: fallback_keys,
    }),
  );

/** An empty value counts as none: a job uses it to remove a default. */
const nothing = z
  .object({})
  .strict()
  .transform((): CacheSpec[] => []);

export const cache = z.union([nothing, z.array(oneCache).max(4), oneCache.transform((one) => [one])]);
