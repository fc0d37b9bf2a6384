import { authenticationErrors, type Caller } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { DeployTokens } from '../deploy-token/deploy-token.repository';
import type { DeployToken } from '../deploy-token/deploy-token.schema';
import { isExpired } from '../personal-access-token/token.view';
import type { Bearer } from './token-bearer';

/** Resolves deploy tokens. A deploy token has no user: it can access its project or group, and public resources. */
@Injectable()
export class DeployTokenBearer {
  constructor(private readonly tokens: DeployTokens) {}

  /**
   * @param hash SHA-256 of the token
   * @param username the name sent with it, if any: it must be the token's
   * @returns undefined for an unknown token
   * @throws authentication.revoked, authentication.expired
   */
  async find(hash: string, username?: string): Promise<Bearer | undefined> {
    const token = await this.tokens.findByHash(hash);
    if (!token || (username !== undefined && username !== token.username)) return undefined;
    if (token.revokedAt) throw authenticationErrors.revoked();
    if (isExpired(token)) throw authenticationErrors.expired();
    return { caller: callerOf(token), expires_at: token.expiresAt?.toISOString() ?? null };
  }
}

const callerOf = ({ _id, username, name, scopes, parent }: DeployToken): Caller => ({
  id: -_id,
  username,
  name,
  email: '',
  isAdmin: false,
  isExternal: true,
  credential: 'deploy_token',
  tokenId: _id,
  scopes,
  opens: parent,
});
