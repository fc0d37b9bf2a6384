import { z } from 'zod';
import { holds } from './expression';
import type { Rule, Variables } from './job-spec';
import type { RepositoryPaths } from './repository-paths';

/* The conditions that `rules` of jobs, of `workflow` and of `include` share. */

/** Limit of one clause in the v4 interface. */
const mostPatterns = 50;

export const patterns = z.array(z.string()).max(mostPatterns);
/** One or a list. */
const onePattern = z.string().transform((pattern) => [pattern]);

const changes = z.union([
  patterns.transform((paths) => ({ paths, compareTo: null })),
  z
    .object({ paths: patterns, compare_to: z.string().optional() })
    .strict()
    .transform(({ paths, compare_to: compareTo = null }) => ({ paths, compareTo })),
]);

const exists = z.union([
  z.union([onePattern, patterns]).transform((paths) => ({ paths, project: null, ref: null })),
  z
    .object({ paths: z.union([onePattern, patterns]), project: z.string().optional(), ref: z.string().optional() })
    .strict()
    .transform(({ paths, project = null, ref = null }) => ({ paths, project, ref })),
]);

/** Limit of nested lists, by aliases and references. */
const mostLevels = 10;
/** Flattens nested lists. */
export const flattened = (value: unknown): unknown => (Array.isArray(value) ? value.flat(mostLevels) : value);

/** @param effects further keywords of a clause */
export const rulesKeyword = <T extends z.ZodRawShape>(effects: T) =>
  z.preprocess(
    flattened,
    z.array(
      z
        .object({ if: z.string().optional(), changes: changes.optional(), exists: exists.optional(), ...effects })
        .strict(),
    ),
  );

/** All conditions of a clause must be true. @throws PipelineFileError for an invalid expression */
export const ruleHolds = (
  { if: expression, changes, exists }: Pick<Rule, 'if' | 'changes' | 'exists'>,
  variables: Variables,
  paths: RepositoryPaths,
): boolean =>
  (expression === undefined || holds(expression, variables)) &&
  (changes === undefined || paths.isChanged(changes, variables)) &&
  (exists === undefined || paths.isThere(exists, variables));
