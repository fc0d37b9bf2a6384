import { authenticationErrors, type Caller, type CredentialKind, commonErrors } from '@moothall/contracts';
import { KnownSettings } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { OauthTokens } from '../oauth/oauth-token.repository';
import { AccessTokens } from '../personal-access-token/token.repository';
import type { AccessToken } from '../personal-access-token/token.schema';
import { isExpired } from '../personal-access-token/token.view';
import { callerOf, refusalOf } from '../user/caller';
import { Users } from '../user/user.repository';
import { Usage } from './usage';

type AnyToken = Pick<AccessToken, '_id' | 'scopes' | 'expiresAt' | 'revokedAt'>;

export interface Bearer {
  caller: Caller;
  /** ISO 8601; null for tokens that do not expire. */
  expires_at: string | null;
}

/** Resolves tokens of all kinds. */
@Injectable()
export class TokenBearer {
  constructor(
    private readonly users: Users,
    private readonly tokens: AccessTokens,
    private readonly oauthTokens: OauthTokens,
    private readonly usage: Usage,
    private readonly instance: KnownSettings,
  ) {}

  /**
   * @param hash SHA-256 of the token. The look-up compares hashes only, so its time reveals nothing about tokens.
   * @returns undefined for an unknown token
   * @throws authentication.* for a token that is no longer valid
   */
  async find(hash: string): Promise<Bearer | undefined> {
    const token = await this.tokens.findByHash(hash);
    if (!token) return this.findOauth(hash);
    if (token.kind === 'impersonation' && !(await this.instance.read()).impersonation_tokens_enabled) {
      throw authenticationErrors.impersonationDisabled();
    }
    const holder = await this.holderOf(token, token.userId, 'personal_access_token');
    this.usage.tokenUsed(token);
    return holder;
  }

  private async findOauth(hash: string): Promise<Bearer | undefined> {
    const token = await this.oauthTokens.findByHash(hash);
    return token ? this.holderOf(token, token.userId, 'oauth_token') : undefined;
  }

  private async holderOf(token: AnyToken, userId: number | null, credential: CredentialKind): Promise<Bearer> {
    if (token.revokedAt) throw authenticationErrors.revoked();
    if (isExpired(token)) throw authenticationErrors.expired();
    // An application that acts for itself has no user.
    const user = userId === null ? null : await this.users.find(userId);
    if (!user) throw commonErrors.unauthorized();
    const refusal = refusalOf(user);
    if (refusal) throw refusal;
    this.usage.userActive(user);
    const proof = { credential, scopes: token.scopes, tokenId: token._id };
    return { caller: callerOf(user, proof), expires_at: token.expiresAt?.toISOString() ?? null };
  }
}
