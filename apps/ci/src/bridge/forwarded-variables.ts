import { type CiVariable, mostVariables } from '@moothall/contracts';
import { expandUpTo } from '../pipeline-file/expand';
import type { JobSpec, TriggerSpec, Variables } from '../pipeline-file/job-spec';
import { keyProblems } from '../variable/variable-rules';

/** The limit of requested pipelines. See docs/api/pipelines.md#5. */
const longestValue = 10_000;
/** They are in the document of the pipeline. */
const mostLetters = 1_000_000;

/**
 * The variables of a triggered pipeline: variables of the job, with references resolved, and those of the job's
 * pipeline if `forward` allows it.
 * @returns undefined for more than a pipeline may have
 */
export function forwardedVariables(
  { variables }: Pick<JobSpec, 'variables'>,
  trigger: Pick<TriggerSpec, 'forwardsVariables' | 'forwardsPipelineVariables'>,
  known: Variables,
  given: CiVariable[],
): CiVariable[] | undefined {
  const ofJob = Object.entries(trigger.forwardsVariables ? variables : {})
    // Pipelines cannot have others; scripts could not read them either.
    .filter(([key]) => keyProblems(key).length === 0);
  const ofPipeline = trigger.forwardsPipelineVariables ? given : [];
  if (ofJob.length + ofPipeline.length > mostVariables) return undefined;
  const forwarded = new Map<string, CiVariable>();
  for (const [key, value] of ofJob) {
    forwarded.set(key, { key, value: expandUpTo(longestValue + 1, value, known), variable_type: 'env_var' });
  }
  for (const variable of ofPipeline) forwarded.set(variable.key, variable);
  const all = [...forwarded.values()];
  const letters = all.reduce((sum, { value }) => sum + value.length, 0);
  return letters > mostLetters || all.some(({ value }) => value.length > longestValue) ? undefined : all;
}
