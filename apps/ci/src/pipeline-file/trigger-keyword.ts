import { z } from 'zod';
import type { TriggerSpec } from './job-spec';
import { oneOfForms, textAs } from './keyword-forms';
import { isMap } from './read-yaml';

/* The trigger of a job instead of a script. See docs/api/pipeline-files.md#7. */

const maxLength = 255;
const mostIncludes = 3;

const common = {
  strategy: z.enum(['depend', 'mirror']).optional(),
  forward: z
    .object({ yaml_variables: z.boolean().default(true), pipeline_variables: z.boolean().default(false) })
    .strict()
    .prefault({}),
};
interface Common {
  strategy?: 'depend' | 'mirror' | undefined;
  forward: { yaml_variables: boolean; pipeline_variables: boolean };
}

const toSpec = (target: TriggerSpec['target'], { strategy, forward }: Common): TriggerSpec => ({
  target,
  depends: strategy !== undefined,
  forwardsVariables: forward.yaml_variables,
  forwardsPipelineVariables: forward.pipeline_variables,
});

const name = z.string().min(1).max(maxLength);
/** A file of a job's artifacts; other entries are validated when they are read. */
const artifact = z.object({ artifact: name, job: name, inputs: z.record(z.string(), z.unknown()).optional() }).strict();
const entry = oneOfForms<string | Record<string, unknown>>((given) => {
  if (!isMap(given)) return name;
  return Object.hasOwn(given, 'artifact') ? artifact : z.looseObject({});
});
/** One or a list. */
const included = z.preprocess((given) => [given].flat(), z.array(entry).min(1).max(mostIncludes));

const ofProject = textAs('project', z.object({ project: name, branch: name.optional(), ...common }).strict()).transform(
  ({ project, branch = null, ...rest }) => toSpec({ project, branch }, rest),
);
const ofFiles = z
  .object({ include: included, ...common })
  .strict()
  .transform(({ include, ...rest }) => toSpec({ include }, rest));

export const trigger = oneOfForms((given) => (isMap(given) && Object.hasOwn(given, 'include') ? ofFiles : ofProject));
