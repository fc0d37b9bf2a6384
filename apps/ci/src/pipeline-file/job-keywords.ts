import { z } from 'zod';
import { artifacts, cache } from './artifact-keywords';
import { isCoveragePattern } from './coverage-pattern';
import { secondsIn } from './duration';
import { environment, resourceGroup } from './environment-keywords';
import { idTokens } from './id-token-keywords';
import type { Retry } from './job-spec';
import { countOf, mostCopies } from './parallel';
import { refused } from './refused-keyword';
import { release } from './release-keyword';
import { patterns, rulesKeyword } from './rules-keyword';
import { trigger } from './trigger-keyword';

/*
 * The keywords of a job. What is not done here is refused by name, so that nobody waits for what a keyword promises.
 */

const whens = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;
const scalar = z.union([z.string(), z.number(), z.boolean()]);

type Nested = string | Nested[];
const flat = (lines: Nested): string[] => (typeof lines === 'string' ? [lines] : lines.flatMap(flat));
const nested: z.ZodType<Nested> = z.lazy(() => z.union([z.string(), z.array(nested)]));

/** One command or a list, in which references may have put lists again. */
export const script = nested.transform(flat);

const listOfTexts = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

export const variables = z
  .record(z.string(), z.union([scalar, z.null(), z.object({ value: scalar.default('') })]))
  .transform((map) => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, textOf(value)])));

const textOf = (value: z.infer<typeof scalar> | null | { value: z.infer<typeof scalar> }): string =>
  value === null ? '' : String(typeof value === 'object' ? value.value : value);

/** How long a delayed job waits, as `30 minutes`, in seconds. See docs/api/pipelines.md#20. */
const startIn = z.union([z.number(), z.string().max(255)]).transform((value, context) => {
  const seconds = secondsIn(value);
  if (seconds !== undefined && seconds <= longestDelaySeconds) return seconds;
  context.addIssue(seconds === undefined ? 'should be a duration' : 'should not exceed the limit of 1 week');
  return z.NEVER;
});
const longestDelaySeconds = 7 * 24 * 60 * 60;

export const rules = rulesKeyword({
  when: z.enum([...whens, 'never']).optional(),
  start_in: startIn.optional(),
  allow_failure: z.boolean().optional(),
  variables: variables.optional(),
});

const refPolicy = z.union([
  listOfTexts.transform((refs) => ({ refs, variables: [] as string[], changes: null })),
  z
    .object({
      refs: listOfTexts.default([]),
      variables: listOfTexts.default([]),
      changes: patterns.optional(),
      kubernetes: z.unknown().optional(),
    })
    .strict()
    .transform(({ refs, variables, changes = null }) => ({ refs, variables, changes })),
]);

const image = z.union([
  z.string().transform((name) => ({ name })),
  z
    .looseObject({ name: z.string(), entrypoint: z.array(z.string()).optional() })
    .transform(({ name, entrypoint }) => ({ name, ...(entrypoint && { entrypoint }) })),
]);

const service = z.union([
  z.string().transform((name) => ({ name })),
  z
    .looseObject({ name: z.string(), alias: z.string().optional() })
    .transform(({ name, alias }) => ({ name, ...(alias && { alias }) })),
]);

const need = z.union([
  z.string().transform((job) => ({ job, isOptional: false, hasArtifacts: true })),
  z
    .object({ job: z.string(), optional: z.boolean().default(false), artifacts: z.boolean().default(true) })
    .strict()
    .transform(({ job, optional, artifacts }) => ({ job, isOptional: optional, hasArtifacts: artifacts })),
]);

/** As `1h 30m`, `90 minutes`; a bare number is seconds. */
const duration = z.union([z.number(), z.string()]).transform((value, context) => {
  const seconds = secondsIn(value);
  if (seconds !== undefined) return seconds;
  context.addIssue('should be a duration');
  return z.NEVER;
});

const maxRetries = 2;
const retries = z.int().min(0).max(maxRetries);
const always = 'always';

const retry = z
  .union([
    retries.transform((max) => ({ max })),
    z
      .object({
        max: retries.default(maxRetries),
        when: listOfTexts.optional(),
        exit_codes: z.union([z.int(), z.array(z.int())]).optional(),
      })
      .strict(),
  ])
  .transform((given): Retry => {
    const {
      max,
      when,
      exit_codes,
    }: { max: number; when?: string[] | undefined; exit_codes?: number | number[] | undefined } = given;
    return {
      max,
      when: when && !when.includes(always) ? when : null,
      exitCodes: exit_codes === undefined ? null : [exit_codes].flat(),
    };
  });

/** What a job may leave to `default:`. */
export const defaults = {
  image: image.optional(),
  services: z.array(service).optional(),
  before_script: script.optional(),
  after_script: script.optional(),
  tags: listOfTexts.optional(),
  timeout: duration.optional(),
  retry: retry.optional(),
  interruptible: z.boolean().optional(),
  cache: cache.optional(),
};

/** The same, where the word may be the name of a job at the top of a file. */
export const keptByDefault = {
  artifacts: artifacts.optional(),
  hooks: z.object({ pre_get_sources_script: script.optional() }).strict().optional(),
  id_tokens: idTokens.optional(),
};

/** Keywords without an effect here, which jobs and `default:` might have. */
export const withoutEffect = { secrets: refused };

const matrixValues = z.union([scalar, z.array(scalar).min(1)]).transform((values) => [values].flat().map(String));
const parallel = z.union([
  z.int().min(1).max(mostCopies),
  z
    .object({
      matrix: z
        .array(z.record(z.string(), matrixValues))
        .min(1)
        .max(mostCopies)
        .refine((matrix) => countOf(matrix) >= 1, 'generates no jobs')
        .refine((matrix) => countOf(matrix) <= mostCopies, `generates too many jobs (maximum is ${mostCopies})`),
    })
    .strict(),
]);

const inheritance = z.union([z.boolean(), z.array(z.string())]).default(true);

export const jobKeywords = z
  .object({
    ...defaults,
    ...keptByDefault,
    ...withoutEffect,
    coverage: z.string().refine(isCoveragePattern, 'must be a regular expression').optional(),
    dependencies: z.array(z.string()).optional(),
    environment: environment.optional(),
    release: release.optional(),
    resource_group: resourceGroup.optional(),
    inherit: z.object({ default: inheritance, variables: inheritance }).strict().prefault({}),
    script: script.optional(),
    trigger: trigger.optional(),
    stage: z.string().default('test'),
    when: z.enum(whens).default('on_success'),
    start_in: startIn.optional(),
    allow_failure: z.boolean().optional(),
    needs: z.array(need).optional(),
    rules: rules.optional(),
    only: refPolicy.optional(),
    except: refPolicy.optional(),
    variables: variables.default({}),
    parallel: parallel.optional(),
  })
  .strict();
export type JobKeywords = z.infer<typeof jobKeywords>;

/** Keywords that say something of a script, which jobs that trigger a pipeline have none of. */
export const ofScripts = [
  ...Object.keys(defaults).filter((name) => name !== 'interruptible'),
  ...Object.keys(keptByDefault),
  ...['script', 'coverage', 'dependencies', 'environment', 'release'],
] as (keyof JobKeywords)[];
