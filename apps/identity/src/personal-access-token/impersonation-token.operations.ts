import {
  type ContextOf,
  createImpersonationToken,
  getImpersonationToken,
  invalidRecord,
  listImpersonationTokens,
  type ParsedOf,
  type ResultOf,
  revokeImpersonationToken,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user/user.repository';
import { futureExpiryOf, viewIssued } from './create-token';
import { stateCondition } from './token.operations';
import { AccessTokens } from './token.repository';
import type { AccessToken } from './token.schema';
import { viewToken } from './token.view';

const impersonation = { impersonation: true } as const;

@Controller()
export class ImpersonationTokens {
  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
  ) {}

  @Handles(listImpersonationTokens)
  async list(
    _context: ContextOf<typeof listImpersonationTokens>,
    input: ParsedOf<typeof listImpersonationTokens>,
  ): Promise<ResultOf<typeof listImpersonationTokens>> {
    const user = await this.users.get(input.user_id);
    const ofState = input.state === 'all' ? {} : stateCondition(input.state);
    const filter = { userId: user._id, kind: 'impersonation' as const, ...ofState };
    const { items, total } = await this.tokens.page(filter, input);
    return { items: items.map((token) => ({ ...viewToken(token), ...impersonation })), total };
  }

  @Handles(getImpersonationToken)
  async get(
    _context: ContextOf<typeof getImpersonationToken>,
    input: ParsedOf<typeof getImpersonationToken>,
  ): Promise<ResultOf<typeof getImpersonationToken>> {
    return { ...viewToken(await this.find(input.user_id, input.impersonation_token_id)), ...impersonation };
  }

  @Handles(createImpersonationToken)
  async create(
    _context: ContextOf<typeof createImpersonationToken>,
    { user_id, name, description, scopes, expires_at }: ParsedOf<typeof createImpersonationToken>,
  ): Promise<ResultOf<typeof createImpersonationToken>> {
    const user = await this.users.get(user_id);
    if (scopes.includes('sudo') && !user.isAdmin)
      throw invalidRecord({ scopes: ['can only contain available scopes'] });
    const expiresAt = futureExpiryOf(expires_at);
    const request = { kind: 'impersonation', userId: user._id, name, description, scopes, expiresAt } as const;
    return { ...viewIssued(await this.tokens.issue(request)), ...impersonation };
  }

  @Handles(revokeImpersonationToken)
  async revoke(
    _context: ContextOf<typeof revokeImpersonationToken>,
    input: ParsedOf<typeof revokeImpersonationToken>,
  ): Promise<void> {
    await this.tokens.revoke(await this.find(input.user_id, input.impersonation_token_id));
  }

  private async find(userId: number, id: number): Promise<AccessToken> {
    await this.users.get(userId);
    return this.tokens.get({ _id: id, userId, kind: 'impersonation' });
  }
}
