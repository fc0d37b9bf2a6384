import { z } from 'zod';
import type { Need } from './job-spec';
import { combined, matrix } from './parallel';
import { refused } from './refused-keyword';
import { flattened } from './rules-keyword';

const one = z.union([
  z.string().transform((job): Need[] => [{ job, isOptional: false, hasArtifacts: true }]),
  z
    .object({
      job: z.string(),
      optional: z.boolean().default(false),
      artifacts: z.boolean().default(true),
      parallel: z.object({ matrix }).strict().optional(),
      // Jobs of other pipelines and projects.
      pipeline: refused,
      project: refused,
      ref: refused,
    })
    .strict()
    .transform(({ job, optional: isOptional, artifacts: hasArtifacts, parallel }): Need[] => {
      const suffixes = parallel ? combined(parallel.matrix).map(({ suffix }) => suffix) : [''];
      return suffixes.map((suffix) => ({ job: `${job}${suffix}`, isOptional, hasArtifacts }));
    }),
]);

/** The jobs that one waits for; of a parallel job all copies, or those of a matrix. */
export const needs = z.preprocess(
  flattened,
  z.array(one).transform((lists) => lists.flat()),
);

export const artifactsOf = (needs: Need[]): string[] =>
  needs.filter((need) => need.hasArtifacts).map((need) => need.job);
