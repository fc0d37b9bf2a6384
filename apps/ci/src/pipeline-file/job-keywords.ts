import { z } from 'zod';
import { artifacts, cache } from './artifact-keywords';
import { image, services } from './container-keywords';
import { isCoveragePattern } from './coverage-pattern';
import { secondsIn } from './duration';
import { environment, resourceGroup } from './environment-keywords';
import { idTokens } from './id-token-keywords';
import { mostExitCodes, type Retry } from './job-spec';
import { needs } from './needs-keyword';
import { parallel } from './parallel';
import { refused } from './refused-keyword';
import { release } from './release-keyword';
import { patterns, rulesKeyword } from './rules-keyword';
import { listOfTexts } from './texts';
import { trigger } from './trigger-keyword';
import { variables } from './variables-keyword';

/* The keywords of a job. Unsupported ones are refused by name, so that nobody expects their effect. */

const whens = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;
type Nested = string | Nested[];
const flat = (lines: Nested): string[] => (typeof lines === 'string' ? [lines] : lines.flatMap(flat));
const nested: z.ZodType<Nested> = z.lazy(() => z.union([z.string(), z.array(nested)]));

/** One command or a list, which references may have nested. */
export const script = nested.transform(flat);

/** How long a delayed job waits, as `30 minutes`, in seconds. See docs/api/pipeline-files.md#6. */
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
  interruptible: z.boolean().optional(),
  needs: needs.optional(),
});

const exitCodes = z.union([z.int(), z.array(z.int()).max(mostExitCodes)]).transform((codes) => [codes].flat());

/** Whether a job may fail, or only with some exit codes of its script. */
const allowFailure = z.union([
  z.boolean(),
  z
    .object({ exit_codes: exitCodes })
    .strict()
    .transform(({ exit_codes }) => exit_codes),
]);

/** Adds a folder of a website to the artifacts of a job. */
const pages = z.union([
  z.boolean(),
  z
    .object({
      publish: z.string().min(1).max(1000).optional(),
      path_prefix: z.string().optional(),
      expire_in: z.string().optional(),
    })
    .strict(),
]);

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
        exit_codes: exitCodes.optional(),
      })
      .strict(),
  ])
  .transform((given): Retry => {
    const { max, when, exit_codes }: { max: number; when?: string[] | undefined; exit_codes?: number[] | undefined } =
      given;
    return { max, when: when && !when.includes(always) ? when : null, exitCodes: exit_codes ?? null };
  });

/** Keywords of a job that `default:` may set. */
export const defaults = {
  image: image.optional(),
  services: services.optional(),
  before_script: script.optional(),
  after_script: script.optional(),
  tags: listOfTexts.optional(),
  timeout: duration.optional(),
  retry: retry.optional(),
  interruptible: z.boolean().optional(),
  cache: cache.optional(),
};

/** The same if the keyword may also be the name of a job at the top of a file. */
export const storedDefaults = {
  artifacts: artifacts.optional(),
  hooks: z.object({ pre_get_sources_script: script.optional() }).strict().optional(),
  id_tokens: idTokens.optional(),
};

/** Keywords without an effect here, which jobs and `default:` might have. */
export const withoutEffect = { secrets: refused };

const inheritance = z.union([z.boolean(), z.array(z.string())]).default(true);

export const jobKeywords = z
  .object({
    ...defaults,
    ...storedDefaults,
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
    allow_failure: allowFailure.optional(),
    manual_confirmation: z.string().optional(),
    needs: needs.optional(),
    pages: pages.optional(),
    publish: z.string().min(1).max(1000).optional(),
    rules: rules.optional(),
    only: refPolicy.optional(),
    except: refPolicy.optional(),
    variables: variables.default({}),
    parallel: parallel.optional(),
  })
  .strict();
export type JobKeywords = z.infer<typeof jobKeywords>;

/** Keywords of scripts, which trigger jobs do not have. */
export const ofScripts = [
  ...Object.keys(defaults).filter((name) => name !== 'interruptible'),
  ...Object.keys(storedDefaults),
  ...['script', 'coverage', 'dependencies', 'environment', 'release', 'pages', 'publish'],
] as (keyof JobKeywords)[];
