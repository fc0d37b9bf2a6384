import { asksForNoPipelines, type CiVariable } from '@moothall/contracts';
import { keyProblems } from '../variable/variable-rules';

/** A branch or tag that a push created or moved. */
export interface PushedRef {
  ref: string;
  refType: 'branch' | 'tag';
  before: string;
  after: string;
}

/** Limit of refs of one push with pipelines, as in the v4 interface. */
const mostRefs = 4;
const noObject = /^0+$/;

/** The refs of a push that get pipelines: the first few that it did not delete. */
export function pushedRefs(changes: readonly { ref: string; before: string; after: string }[]): PushedRef[] {
  return changes
    .filter(({ after }) => !noObject.test(after))
    .flatMap(({ ref, before, after }) => {
      const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? [];
      return name
        ? [{ ref: name, refType: kind === 'tags' ? ('tag' as const) : ('branch' as const), before, after }]
        : [];
    })
    .slice(0, mostRefs);
}

/** Options of `git push -o` for pipelines: `ci.skip`, and `ci.variable=KEY=value` any number of times. */
export function readPushOptions(options: readonly string[]): { isSkipped: boolean; variables: CiVariable[] } {
  const variables = new Map<string, CiVariable>();
  for (const option of options) {
    const [, key, value] = /^ci\.variable=([^=]*)=(.*)$/s.exec(option) ?? [];
    if (key === undefined || value === undefined || keyProblems(key).length > 0) continue;
    variables.set(key, { key, value, variable_type: 'env_var' });
  }
  return { isSkipped: asksForNoPipelines(options), variables: [...variables.values()] };
}
