import { z } from 'zod';
import { holds } from './expression';
import type { Rule, Variables } from './job-spec';
import type { RepositoryPaths } from './repository-paths';

/* What `rules` of jobs, of `workflow` and of `include` have in common: when a clause applies. */

/** As the v4 interface has it, of one clause. */
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

/** How deep aliases and references may put lists into a list. */
const mostLevels = 10;
/** One list of all that a list and the lists in it have. */
export const flattened = (value: unknown): unknown => (Array.isArray(value) ? value.flat(mostLevels) : value);

/** @param effects what a clause says besides, of where it applies */
export const rulesKeyword = <T extends z.ZodRawShape>(effects: T) =>
  z.preprocess(
    flattened,
    z.array(
      z
        .object({ if: z.string().optional(), changes: changes.optional(), exists: exists.optional(), ...effects })
        .strict(),
    ),
  );

/** All that a clause asks for has to be so. @throws PipelineFileError for what is no expression */
export const ruleHolds = (
  { if: expression, changes, exists }: Pick<Rule, 'if' | 'changes' | 'exists'>,
  variables: Variables,
  paths: RepositoryPaths,
): boolean =>
  (expression === undefined || holds(expression, variables)) &&
  (changes === undefined || paths.isChanged(changes, variables)) &&
  (exists === undefined || paths.isThere(exists, variables));
