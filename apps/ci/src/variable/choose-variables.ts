import { matchesWildcard } from '@moothall/contracts';
import type { StoredVariable } from './stored-variable.schema';
import type { VariableOwner } from './variable-owner';

/** The jobs for which variables are selected. */
export interface VariableNeed {
  /** Whether the branch or tag is protected. */
  isProtected: boolean;
  /** Name of the job's environment, if it has one. */
  environment?: string | undefined;
}

type Choosable = Pick<StoredVariable, 'owner' | 'key' | 'isProtected' | 'environmentScope'>;

/**
 * Selects one variable of each key for a job: from the last owner that has one, the one with the most specific scope.
 * See docs/api/pipelines.md#10.
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

/** A name is more specific than a pattern, and a longer pattern than a shorter one. */
function compareScopes({ environmentScope: a }: Choosable, { environmentScope: b }: Choosable): number {
  return Number(b.includes('*')) - Number(a.includes('*')) || a.length - b.length;
}

/** @param scope in which `*` matches any text; `*` alone also matches jobs without an environment */
export function isInScope(scope: string, environment: string | undefined): boolean {
  if (scope === '*') return true;
  if (environment === undefined) return false;
  return matchesWildcard(scope, environment);
}
