import { invalidRecord, mostStrategies as most, type StrategyName } from '@moothall/contracts';
import type { Strategy } from './feature-flag.schema';

/** A strategy as a parameter: with `id` it changes an existing one, otherwise it is new. */
export interface GivenStrategy {
  id?: number | undefined;
  name?: StrategyName | undefined;
  parameters?: Record<string, string> | undefined;
  user_list_id?: number | undefined;
  scopes?: GivenScope[] | undefined;
  _destroy?: boolean | undefined;
}

interface GivenScope {
  id?: number | undefined;
  environment_scope?: string | undefined;
  _destroy?: boolean | undefined;
}

/** How many numbers new strategies and scopes need at most. */
export const countOfIds = (given: readonly GivenStrategy[]): number =>
  given.reduce((sum, { scopes = [] }) => sum + 1 + scopes.length, 0);

/**
 * @param firstId of as many numbers as {@link countOfIds} returns @throws common.invalid_record for invalid
 * strategies
 */
export function changedStrategies(
  strategies: Strategy[],
  given: readonly GivenStrategy[],
  firstId: number,
): Strategy[] {
  let nextId = firstId;
  const newId = () => nextId++;
  let changed = strategies;
  for (const one of given) {
    const before = one.id === undefined ? undefined : changed.find(({ id }) => id === one.id);
    if (one.id !== undefined && !before) throw invalid('is not found');
    const after = one._destroy ? [] : [checked(merged(one, before, newId))];
    changed = before
      ? changed.flatMap((strategy) => (strategy === before ? after : [strategy]))
      : [...changed, ...after];
  }
  if (changed.length > most) throw invalid(`are too many (maximum is ${most})`);
  return changed;
}

function merged(given: GivenStrategy, before: Strategy | undefined, newId: () => number): Strategy {
  const name = given.name ?? before?.name;
  if (!name) throw invalid('name is invalid');
  const userListId = given.user_list_id ?? before?.userListId;
  return {
    id: before?.id ?? newId(),
    name,
    parameters: given.parameters ?? before?.parameters ?? {},
    ...(name === 'gitlabUserList' && userListId !== undefined && { userListId }),
    scopes: scopesOf(given.scopes ?? [], before?.scopes ?? [], newId),
  };
}

function scopesOf(given: GivenScope[], before: Strategy['scopes'], newId: () => number): Strategy['scopes'] {
  let scopes = before;
  for (const { id, environment_scope: environmentScope, _destroy } of given) {
    if (id === undefined) {
      if (environmentScope === undefined) throw invalid('scope is missing environment_scope');
      if (!_destroy) scopes = [...scopes, { id: newId(), environmentScope }];
      continue;
    }
    if (!scopes.some((scope) => scope.id === id)) throw invalid('scope is not found');
    scopes = _destroy
      ? scopes.filter((scope) => scope.id !== id)
      : scopes.map((scope) =>
          scope.id === id ? { id, environmentScope: environmentScope ?? scope.environmentScope } : scope,
        );
  }
  if (scopes.length > most) throw invalid(`scopes are too many (maximum is ${most})`);
  return scopes;
}

const percentage = /^(?:100|[1-9]?\d)$/;
const groupId = /^[a-z]{0,32}$/;
const stickiness = /^(?:default|userId|sessionId|random)$/i;

const rules: Record<StrategyName, Record<string, (value: string) => boolean>> = {
  default: {},
  gitlabUserList: {},
  gradualRolloutUserId: { groupId: (value) => groupId.test(value), percentage: (value) => percentage.test(value) },
  flexibleRollout: {
    groupId: (value) => groupId.test(value),
    rollout: (value) => percentage.test(value),
    stickiness: (value) => stickiness.test(value),
  },
  userWithId: { userIds: (value) => value.split(',').every((id) => id.trim() !== '' && id.trim().length <= 256) },
};

/** Each strategy has the parameters of its kind, and no others. */
function checked(strategy: Strategy): Strategy {
  const { name, parameters, userListId } = strategy;
  const wanted = rules[name];
  const isWhole =
    Object.keys(parameters).length === Object.keys(wanted).length &&
    Object.entries(wanted).every(([key, isGood]) => isGood(parameters[key] ?? ''));
  if (!isWhole) throw invalid(`parameters of ${name} are invalid`);
  if (name === 'gitlabUserList' && userListId === undefined) throw invalid('user_list_id is missing');
  return strategy;
}

const invalid = (problem: string) => invalidRecord({ strategies: [problem] });
