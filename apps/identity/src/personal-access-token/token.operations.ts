import {
  type Caller,
  type ContextOf,
  commonErrors,
  getOwnToken,
  getToken,
  listTokens,
  type ParsedOf,
  type ResultOf,
  revokeOwnToken,
  revokeToken,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { RE2JS } from 're2js';
import { AccessTokens } from './token.repository';
import type { AccessToken } from './token.schema';
import { viewToken } from './token.view';

/** Tokens that a caller may see: their own; all, for administrators. */
export const visibleTo = (caller: Caller): QueryFilter<AccessToken> =>
  caller.isAdmin ? { kind: 'personal' } : { kind: 'personal', userId: caller.id };

/** @throws common.bad_request if the caller used another kind of credential */
export function ownTokenId(caller: Caller): number {
  if (caller.credential !== 'personal_access_token' || caller.tokenId === undefined) throw commonErrors.badRequest();
  return caller.tokenId;
}

@Controller()
export class TokenOperations {
  constructor(private readonly tokens: AccessTokens) {}

  @Handles(listTokens)
  async list(
    { caller }: ContextOf<typeof listTokens>,
    input: ParsedOf<typeof listTokens>,
  ): Promise<ResultOf<typeof listTokens>> {
    // Only administrators may list tokens of other users. See docs/api/tokens.md#2.
    if (input.user_id !== undefined && !caller.isAdmin && input.user_id !== caller.id)
      throw commonErrors.unauthorized();
    const { items, total } = await this.tokens.page({ $and: [visibleTo(caller), ...conditionsOf(input)] }, input);
    return { items: items.map(viewToken), total };
  }

  @Handles(getToken)
  async get(
    { caller }: ContextOf<typeof getToken>,
    { id }: ParsedOf<typeof getToken>,
  ): Promise<ResultOf<typeof getToken>> {
    return viewToken(await this.tokens.get({ _id: id, ...visibleTo(caller) }));
  }

  @Handles(getOwnToken)
  async self({ caller }: ContextOf<typeof getOwnToken>): Promise<ResultOf<typeof getOwnToken>> {
    return viewToken(await this.tokens.get({ _id: ownTokenId(caller) }));
  }

  @Handles(revokeToken)
  async revoke({ caller }: ContextOf<typeof revokeToken>, { id }: ParsedOf<typeof revokeToken>): Promise<void> {
    await this.tokens.revoke(await this.tokens.get({ _id: id, ...visibleTo(caller) }));
  }

  @Handles(revokeOwnToken)
  async revokeSelf({ caller }: ContextOf<typeof revokeOwnToken>): Promise<void> {
    await this.tokens.revoke(await this.tokens.get({ _id: ownTokenId(caller) }));
  }
}

function conditionsOf(input: ParsedOf<typeof listTokens>): QueryFilter<AccessToken>[] {
  const conditions: QueryFilter<AccessToken>[] = [];
  if (input.user_id !== undefined) conditions.push({ userId: input.user_id });
  if (input.revoked !== undefined) conditions.push({ revokedAt: input.revoked ? { $ne: null } : null });
  if (input.state) conditions.push(stateCondition(input.state));
  if (input.search) conditions.push({ name: new RegExp(RE2JS.quote(input.search), 'i') });
  if (input.created_after) conditions.push({ createdAt: { $gte: new Date(input.created_after) } });
  if (input.created_before) conditions.push({ createdAt: { $lte: new Date(input.created_before) } });
  if (input.last_used_after) conditions.push({ lastUsedAt: { $gte: new Date(input.last_used_after) } });
  if (input.last_used_before) conditions.push({ lastUsedAt: { $lte: new Date(input.last_used_before) } });
  return conditions;
}

/** Neither revoked nor expired, or one of them. */
export function stateCondition(state: 'active' | 'inactive'): QueryFilter<AccessToken> {
  const now = new Date();
  return state === 'active'
    ? { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
    : { $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $lte: now } }] };
}
