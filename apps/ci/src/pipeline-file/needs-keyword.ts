import { z } from 'zod';
import type { CrossPipelineNeed, Need } from './job-spec';
import { oneOfForms, textAs } from './keyword-forms';
import { combined, matrix } from './parallel';
import { isMap } from './read-yaml';
import { flattened } from './rules-keyword';

/* `needs`: jobs of the same pipeline, and jobs of other pipelines. See docs/api/pipeline-files.md#3. */

/** The needs of a job. */
export interface Needs {
  /** Jobs of its pipeline that it waits for. */
  jobs: Need[];
  /** Jobs of other pipelines whose artifacts it downloads, without waiting for them. */
  crossPipeline: CrossPipelineNeed[];
}

/** As the v4 interface has it, for each of the two forms. */
const mostCrossPipeline = 5;

const name = z.string().min(1).max(255);
const ofJob = textAs(
  'job',
  z
    .object({
      job: z.string(),
      optional: z.boolean().default(false),
      artifacts: z.boolean().default(true),
      parallel: z.object({ matrix }).strict().optional(),
    })
    .strict(),
).transform(({ job, optional: isOptional, artifacts: hasArtifacts, parallel }): Needs => {
  const suffixes = parallel ? combined(parallel.matrix).map(({ suffix }) => suffix) : [''];
  return {
    jobs: suffixes.map((suffix) => ({ job: `${job}${suffix}`, isOptional, hasArtifacts })),
    crossPipeline: [],
  };
});
const common = { job: name, artifacts: z.boolean().default(true) };
const ofPipeline = z
  .object({ ...common, pipeline: z.union([name, z.int().transform(String)]) })
  .strict()
  .transform(({ artifacts, ...need }): Needs => ({ jobs: [], crossPipeline: artifacts ? [need] : [] }));
const ofProject = z
  .object({ ...common, project: name, ref: z.union([name, z.number().transform(String)]) })
  .strict()
  .transform(({ artifacts, ...need }): Needs => ({ jobs: [], crossPipeline: artifacts ? [need] : [] }));

const one = oneOfForms<Needs>((given) => {
  if (isMap(given) && Object.hasOwn(given, 'project')) return ofProject;
  return isMap(given) && Object.hasOwn(given, 'pipeline') ? ofPipeline : ofJob;
});

/** The jobs that one waits for; of a parallel job all copies, or those of a matrix. */
export const needs = z.preprocess(
  flattened,
  z
    .array(one)
    .transform(
      (all): Needs => ({
        jobs: all.flatMap(({ jobs }) => jobs),
        crossPipeline: all.flatMap((each) => each.crossPipeline),
      }),
    )
    .refine(
      ({ crossPipeline }) =>
        ['pipeline', 'project'].every(
          (form) => crossPipeline.filter((need) => form in need).length <= mostCrossPipeline,
        ),
      `names more than ${mostCrossPipeline} jobs of other pipelines`,
    ),
);

export const artifactsOf = ({ jobs }: Needs): string[] =>
  jobs.filter((need) => need.hasArtifacts).map((need) => need.job);
