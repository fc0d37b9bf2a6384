import { invalidRecord, mostDeployGrants } from '@moothall/contracts';
import type { DeployGrant } from './protected-environment.schema';

/** A grant as a parameter: with `id` it changes an existing one, otherwise it is new. */
export interface GivenGrant {
  id?: number | undefined;
  access_level?: number | undefined;
  user_id?: number | undefined;
  group_id?: number | undefined;
  _destroy?: boolean | undefined;
}

/**
 * @param firstId of as many numbers as are given
 * @throws common.invalid_record for a missing or duplicate grant, one that does not name exactly one owner, and for
 * too many
 */
export function changedGrants(grants: DeployGrant[], given: readonly GivenGrant[], firstId: number): DeployGrant[] {
  let changed = grants;
  for (const [index, one] of given.entries()) {
    if (one.id === undefined) {
      if (!one._destroy) changed = [...changed, { id: firstId + index, ...namedBy(one) }];
      continue;
    }
    if (!changed.some(({ id }) => id === one.id)) throw invalid('is not found');
    const others = changed.filter(({ id }) => id !== one.id);
    changed = one._destroy
      ? others
      : changed.map((grant) => (grant.id === one.id ? { id: grant.id, ...namedBy(one, grant) } : grant));
  }
  if (new Set(changed.map(keyOf)).size < changed.length) throw invalid('has already been taken');
  if (changed.length > mostDeployGrants) throw invalid(`are too many (maximum is ${mostDeployGrants})`);
  return changed;
}

/** The owner of the grant; without one, the previous owner. */
function namedBy({ access_level, user_id, group_id }: GivenGrant, before?: DeployGrant): Omit<DeployGrant, 'id'> {
  const named = { accessLevel: access_level, userId: user_id, groupId: group_id };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  if (given.length === 1) return Object.fromEntries(given);
  if (given.length > 1 || !before) throw invalid('needs exactly one of access_level, user_id and group_id');
  const { id: _, ...rest } = before;
  return rest;
}

const keyOf = ({ accessLevel, userId, groupId }: DeployGrant): string => [accessLevel, userId, groupId].join();

const invalid = (problem: string) => invalidRecord({ deploy_access_levels: [problem] });
