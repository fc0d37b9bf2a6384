import { matchesWildcard } from '@moothall/contracts';
import type { StoredVariable } from './stored-variable.schema';
import type { VariableOwner } from './variable-owner';

/** For which jobs variables are looked for. */
export interface VariableNeed {
  /** Whether the branch or tag is protected. */
  isProtected: boolean;
  /** Name of the job's environment, where it has one. */
  environment?: string | undefined;
}

type Choosable = Pick<StoredVariable, 'owner' | 'key' | 'isProtected' | 'environmentScope'>;

/**
 * The variable of each key that a job gets: of the last owner that has one for it, and of several of that, the one whose
 * scope says most. See docs/api/pipelines.md#10.
 */
export function chooseVariables<V extends Choosable>(kept: V[], owners: VariableOwner[], need: VariableNeed): V[] {
  const fitting = kept.filter(
    ({ isProtected, environmentScope }) =>
      (need.isProtected || !isProtected) && isInScope(environmentScope, need.environment),
  );
  const rank = ({ owner }: V) => owners.indexOf(owner);
  const ordered = fitting.sort((a, b) => rank(a) - rank(b) || compareScopes(a, b));
  return [...new Map(ordered.map((variable) => [variable.key, variable])).values()];
}

/** A name says more than a pattern, and of patterns the longer one. */
function compareScopes({ environmentScope: a }: Choosable, { environmentScope: b }: Choosable): number {
  return Number(b.includes('*')) - Number(a.includes('*')) || a.length - b.length;
}

/** @param scope in which `*` stands for any text; alone it is for jobs without an environment, too */
export function isInScope(scope: string, environment: string | undefined): boolean {
  if (scope === '*') return true;
  if (environment === undefined) return false;
  return matchesWildcard(scope, environment);
}
