import {
  type ContextOf,
  introspectToken,
  type OperationContext,
  type ParsedOf,
  type ResultOf,
  revokeOauthToken,
  tokenInfo,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { Applications } from '../../application/application.repository';
import type { Application } from '../../application/application.schema';
import { Users } from '../../user/user.repository';
import { OauthTokens } from '../oauth-token.repository';
import type { OauthToken } from '../oauth-token.schema';
import { claimOf } from './client-claim';
import { oauthError, oauthReply } from './oauth-reply';

interface ClientCredentials {
  client_id?: string | undefined;
  client_secret?: string | undefined;
}

const epochOf = (time: Date): number => Math.floor(time.getTime() / 1000);
const isGood = (token: OauthToken): boolean => token.revokedAt === null && token.expiresAt.getTime() > Date.now();

/** Introspection and revocation of tokens. */
@Controller()
export class TokenEndpoints {
  constructor(
    private readonly applications: Applications,
    private readonly tokens: OauthTokens,
    private readonly users: Users,
  ) {}

  @Handles(tokenInfo)
  async info(
    { client }: ContextOf<typeof tokenInfo>,
    { access_token }: ParsedOf<typeof tokenInfo>,
  ): Promise<ResultOf<typeof tokenInfo>> {
    const value = access_token ?? /^bearer (.+)$/i.exec(client?.authorization ?? '')?.[1]?.trim();
    const token = value ? await this.tokens.findByHash(sha256(value)) : null;
    if (!token || !(await this.isUsable(token))) return oauthError('invalid_token');
    const application = token.applicationId === null ? null : await this.applications.find(token.applicationId);
    const expiresIn = epochOf(token.expiresAt) - epochOf(new Date());
    return oauthReply({
      resource_owner_id: token.userId,
      scope: token.scopes,
      expires_in: expiresIn,
      application: { uid: application?.uid ?? null },
      created_at: epochOf(token.createdAt),
      scopes: token.scopes,
      expires_in_seconds: expiresIn,
    });
  }

  @Handles(revokeOauthToken)
  async revoke(
    { client }: ContextOf<typeof revokeOauthToken>,
    input: ParsedOf<typeof revokeOauthToken>,
  ): Promise<ResultOf<typeof revokeOauthToken>> {
    const application = await this.applicationOf(client, input);
    if (!application) return oauthError('invalid_client');
    if (!input.token) return oauthError('invalid_request', missingToken);
    const token = await this.find(input.token);
    if (token && token.applicationId !== application._id) return oauthError('unauthorized_client', notItsToken);
    if (token) await this.tokens.revoke(token);
    return oauthReply({});
  }

  @Handles(introspectToken)
  async introspect(
    { client }: ContextOf<typeof introspectToken>,
    input: ParsedOf<typeof introspectToken>,
  ): Promise<ResultOf<typeof introspectToken>> {
    const application = await this.applicationOf(client, input);
    if (!application?.isConfidential) return oauthError('invalid_client');
    if (!input.token) return oauthError('invalid_request', missingToken);
    const token = await this.find(input.token);
    // Tokens of other applications are not described.
    if (token?.applicationId !== application._id) return oauthReply({ active: false });
    const isAccessToken = token.sha256 === sha256(input.token);
    const isActive = await (isAccessToken ? this.isUsable(token) : this.isRefreshable(token));
    if (!isActive) return oauthReply({ active: false });
    return oauthReply({
      active: true,
      scope: token.scopes.join(' '),
      client_id: application.uid,
      ...(isAccessToken && { token_type: 'bearer', exp: epochOf(token.expiresAt) }),
      iat: epochOf(token.createdAt),
      ...(token.userId !== null && { sub: String(token.userId) }),
    });
  }

  private async find(value: string): Promise<OauthToken | null> {
    return (await this.tokens.findByHash(sha256(value))) ?? this.tokens.findByRefreshToken(value);
  }

  private async isUsable(token: OauthToken): Promise<boolean> {
    return isGood(token) && this.mayAct(token);
  }

  private async isRefreshable(token: OauthToken): Promise<boolean> {
    return token.refreshUsedAt === null && this.mayAct(token);
  }

  private async mayAct({ userId }: OauthToken): Promise<boolean> {
    return userId === null || (await this.users.find(userId))?.state === 'active';
  }

  private async applicationOf(
    client: OperationContext['client'],
    input: ClientCredentials,
  ): Promise<Application | null> {
    const claim = claimOf(input, client?.authorization);
    return claim?.uid ? this.applications.authenticate(claim.uid, claim.secret) : null;
  }
}

const missingToken = { text: 'Missing required parameter: token.' };
const notItsToken = { status: 403, text: 'You are not authorized to revoke this token' };
