import { type CiVariable, mostVariables } from '@moothall/contracts';
import { expandUpTo } from '../pipeline-file/expand';
import type { JobSpec, TriggerSpec, Variables } from '../pipeline-file/job-spec';
import { keyProblems } from '../variable/variable-rules';

/** As of pipelines that somebody asks for. See docs/api/pipelines.md#5. */
const longestValue = 10_000;
/** They are in the document of the pipeline. */
const mostLetters = 1_000_000;

/**
 * What a triggered pipeline is made with: variables of the job, in which others are put in, and those that the job's own
 * pipeline was created with, if `forward` allows it.
 * @returns undefined for more than a pipeline may be made with
 */
export function forwardedVariables(
  { variables }: Pick<JobSpec, 'variables'>,
  trigger: Pick<TriggerSpec, 'forwardsVariables' | 'forwardsPipelineVariables'>,
  known: Variables,
  given: CiVariable[],
): CiVariable[] | undefined {
  const ofJob = Object.entries(trigger.forwardsVariables ? variables : {})
    // Of others no pipeline is made; scripts could not read them either.
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
