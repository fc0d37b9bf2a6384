import {
  type ContextOf,
  createServiceAccountToken,
  type GroupRef,
  listServiceAccountTokens,
  type ParsedOf,
  type ResultOf,
  revokeServiceAccountToken,
  rotateServiceAccountToken,
  tokenErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { futureExpiryOf, viewIssued } from '../personal-access-token/create-token';
import { rotatedExpiryOf } from '../personal-access-token/rotate-token';
import { stateCondition } from '../personal-access-token/token.operations';
import { AccessTokens } from '../personal-access-token/token.repository';
import type { AccessToken } from '../personal-access-token/token.schema';
import { viewToken } from '../personal-access-token/token.view';
import { ServiceAccounts } from './service-accounts';

/** Tokens of service accounts, managed by the owners of their group. See docs/api/tokens.md#7. */
@Controller()
export class ServiceAccountTokens {
  constructor(
    private readonly accounts: ServiceAccounts,
    private readonly tokens: AccessTokens,
  ) {}

  @Handles(listServiceAccountTokens)
  async list(
    { group }: ContextOf<typeof listServiceAccountTokens>,
    input: ParsedOf<typeof listServiceAccountTokens>,
  ): Promise<ResultOf<typeof listServiceAccountTokens>> {
    const { _id: userId } = await this.accounts.get(input.user_id, { groupId: group.id });
    const ofState = input.state ? stateCondition(input.state) : {};
    const { items, total } = await this.tokens.page({ userId, kind: 'personal', ...ofState }, input);
    return { items: items.map(viewToken), total };
  }

  @Handles(createServiceAccountToken)
  async create(
    { group }: ContextOf<typeof createServiceAccountToken>,
    { user_id, name, description, scopes, expires_at }: ParsedOf<typeof createServiceAccountToken>,
  ): Promise<ResultOf<typeof createServiceAccountToken>> {
    const { _id: userId, state } = await this.accounts.get(user_id, { groupId: group.id });
    if (state !== 'active') throw tokenErrors.refused();
    const expiresAt = futureExpiryOf(expires_at);
    return viewIssued(await this.tokens.issue({ kind: 'personal', userId, name, description, scopes, expiresAt }));
  }

  @Handles(revokeServiceAccountToken)
  async revoke(
    { group }: ContextOf<typeof revokeServiceAccountToken>,
    input: ParsedOf<typeof revokeServiceAccountToken>,
  ): Promise<void> {
    await this.tokens.revoke(await this.find(group, input));
  }

  @Handles(rotateServiceAccountToken)
  async rotate(
    { group }: ContextOf<typeof rotateServiceAccountToken>,
    input: ParsedOf<typeof rotateServiceAccountToken>,
  ): Promise<ResultOf<typeof rotateServiceAccountToken>> {
    const token = await this.find(group, input);
    return viewIssued(await this.tokens.rotate(token, rotatedExpiryOf(input.expires_at)));
  }

  private async find(
    group: GroupRef,
    { user_id, token_id }: { user_id: number; token_id: number },
  ): Promise<AccessToken> {
    const { _id: userId } = await this.accounts.get(user_id, { groupId: group.id });
    return this.tokens.get({ _id: token_id, userId, kind: 'personal' });
  }
}
