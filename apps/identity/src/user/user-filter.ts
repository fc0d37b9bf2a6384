import type { Caller, listUsers, ParsedOf } from '@moothall/contracts';
import type { QueryFilter } from 'mongoose';
import { RE2JS } from 're2js';
import { searchKeyLength, searchRange } from './search-keys';
import type { User, UserKind } from './user.schema';

type Input = ParsedOf<typeof listUsers>;
type Condition = QueryFilter<User>;

// Not `$ne`, so that an index alone can count them.
const notInternal = { $in: ['human', 'project_bot', 'service_account'] as UserKind[] };

/** Active users, bots and service accounts. */
export const activePeople: Condition = { state: 'active', kind: notInternal };

/**
 * Filters of a list. Fields that only administrators see are filters for administrators only. See docs/api/users.md#2.
 */
export function filterOf(caller: Caller | undefined, input: Input, searched: Condition | undefined): Condition {
  const conditions = [
    ...(searched ? [searched] : []),
    ...commonConditions(input),
    ...(caller?.isAdmin ? adminConditions(input) : []),
  ];
  return conditions.length > 0 ? { $and: conditions } : {};
}

function commonConditions(input: Input): Condition[] {
  const conditions: Condition[] = [];
  if (input.username) conditions.push({ usernameKey: input.username.toLowerCase() });
  if (input.active) conditions.push(activePeople);
  if (input.blocked) conditions.push({ state: 'blocked' });
  if (input.external) conditions.push({ isExternal: true });
  if (input.exclude_external) conditions.push({ isExternal: false });
  if (input.exclude_internal) conditions.push({ kind: notInternal });
  return conditions;
}

function adminConditions(input: Input): Condition[] {
  const conditions: Condition[] = [];
  if (input.admins) conditions.push({ isAdmin: true });
  if (input.created_after) conditions.push({ createdAt: { $gte: new Date(input.created_after) } });
  if (input.created_before) conditions.push({ createdAt: { $lte: new Date(input.created_before) } });
  if (input.two_factor === 'enabled') conditions.push({ 'twoFactor.enabledAt': { $gt: new Date(0) } });
  if (input.two_factor === 'disabled') conditions.push({ twoFactor: null });
  if (input.extern_uid && input.provider) {
    conditions.push({ identities: { $elemMatch: { provider: input.provider, externUid: input.extern_uid } } });
  }
  for (const [key, value] of Object.entries(input.custom_attributes ?? {})) {
    conditions.push({ customAttributes: { $elemMatch: { key, value } } });
  }
  return conditions;
}

/** Users with a text in their name or username. */
export function namedLike(search: string): Condition {
  const inName: Condition = { searchKeys: { $elemMatch: searchRange(search) } };
  if (search.length <= searchKeyLength) return inName;
  return { $and: [inName, { $or: [{ name: containing(search) }, { username: containing(search) }] }] };
}

/** Users with exactly this address: any of theirs for administrators, the public one for others. */
export const withAddress = (address: string, isAdmin: boolean): Condition =>
  isAdmin ? { emailKeys: address.toLowerCase() } : { 'profile.publicEmail': address };

const containing = (text: string): RegExp => new RegExp(RE2JS.quote(text), 'i');
