import { z } from 'zod';
import type { TriggerSpec } from './job-spec';

/* What a job triggers instead of running a script. See docs/api/pipelines.md#21. */

const maxLength = 255;
const mostIncludes = 3;

const common = {
  strategy: z.enum(['depend', 'mirror']).optional(),
  forward: z
    .object({ yaml_variables: z.boolean().default(true), pipeline_variables: z.boolean().default(false) })
    .strict()
    .prefault({}),
};

const name = z.string().min(1).max(maxLength);
/** Judged as the file that it becomes when it is read. */
const included = z.union([
  name.transform((one) => [one]),
  z
    .array(z.union([name, z.looseObject({})]))
    .min(1)
    .max(mostIncludes),
]);

const downstream = z.union([
  z.object({ project: name, branch: name.optional(), ...common }).strict(),
  z.object({ include: included, ...common }).strict(),
]);

export const trigger = z
  .union([name.transform((project) => downstream.parse({ project })), downstream])
  .transform(({ strategy, forward, ...what }): TriggerSpec => {
    const target =
      'include' in what ? { include: what.include } : { project: what.project, branch: what.branch ?? null };
    return {
      target,
      depends: strategy !== undefined,
      forwardsVariables: forward.yaml_variables,
      forwardsPipelineVariables: forward.pipeline_variables,
    };
  });
