import { type Page, type Scope, tokenErrors, tokenRevoked } from '@moothall/contracts';
import { Counters, findPage, newEvent, Outbox } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { IdentitySettings } from '../settings/settings';
import type { AccessToken, TokenKind } from './token.schema';
import { isActive } from './token.view';
import { newTokenValue } from './token-value';

export interface TokenRequest {
  kind: TokenKind;
  userId: number;
  name: string;
  description?: string | null | undefined;
  scopes: Scope[];
  expiresAt: Date | null;
  projectId?: number | null | undefined;
  groupId?: number | null | undefined;
  familyId?: number | undefined;
  accessLevel?: number | null | undefined;
}

/** The record of a new token, and its value, which is not stored. */
export interface IssuedToken {
  token: AccessToken;
  value: string;
}

/** Every query on personal, impersonation, project and group access tokens. */
@Injectable()
export class AccessTokens {
  constructor(
    @InjectModel('AccessToken') private readonly tokens: Model<AccessToken>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  async issue(request: TokenRequest, value = newTokenValue(this.settings.TOKEN_PREFIX)): Promise<IssuedToken> {
    const token = await this.outbox.insert(this.tokens, {
      _id: await this.counters.next('access_tokens'),
      ...request,
      scopes: [...new Set(request.scopes)],
      projectId: request.projectId ?? null,
      accessLevel: request.accessLevel ?? null,
      description: request.description ?? null,
      sha256: sha256(value),
      revokedAt: null,
      lastUsedAt: null,
    });
    return { token, value };
  }

  findByHash(hash: string): Promise<AccessToken | null> {
    return this.tokens.findOne({ sha256: hash }).lean<AccessToken>();
  }

  /** @throws token.not_found */
  async get(filter: QueryFilter<AccessToken>): Promise<AccessToken> {
    const token = await this.tokens.findOne(filter).lean<AccessToken>();
    if (!token) throw tokenErrors.notFound();
    return token;
  }

  page(filter: QueryFilter<AccessToken>, input: { page: number; per_page: number }): Promise<Page<AccessToken>> {
    return findPage(this.tokens, filter, { _id: 1 }, input);
  }

  /** @returns false for a token that is already revoked: nothing changes */
  async revoke(token: AccessToken): Promise<boolean> {
    const event = newEvent(tokenRevoked, { token_sha256: token.sha256, user_id: token.userId });
    const still = { _id: token._id, revokedAt: null };
    return (await this.outbox.update(this.tokens, still, { $set: { revokedAt: new Date() } }, event)) !== null;
  }

  /**
   * The same token with a new value. A rotated token that is used again may be stolen: its successor is revoked, too.
   * See docs/api/tokens.md#6.
   * @throws token.not_found if it is no longer valid
   */
  async rotate(old: AccessToken, expiresAt: Date | null): Promise<IssuedToken> {
    if (old.revokedAt !== null) await this.revokeFamily(old);
    if (!isActive(old)) throw tokenErrors.notFound();
    const { kind, userId, projectId, groupId, accessLevel, name, description, scopes } = old;
    const same = { kind, userId, projectId, groupId, accessLevel, name, description, scopes };
    const issued = await this.issue({ ...same, expiresAt, familyId: familyOf(old) });
    // The new value is not returned before the old token is revoked: after a failure the caller retries with the old
    // one.
    try {
      if (!(await this.revoke(old))) throw tokenErrors.notFound();
      return issued;
    } catch (error) {
      await this.tokens.deleteOne({ _id: issued.token._id });
      throw error;
    }
  }

  async markUsed(id: number, at: Date): Promise<void> {
    await this.tokens.updateOne({ _id: id }, { $max: { lastUsedAt: at } });
  }

  /** Assigns a token that was created before its user to that user. */
  async reassign(value: string, userId: number): Promise<boolean> {
    const { matchedCount } = await this.tokens.updateOne({ sha256: sha256(value) }, { $set: { userId } });
    return matchedCount > 0;
  }

  /** Bot users of the tokens of a project or group, each once. */
  async botsOf(of: { projectId: number } | { groupId: number }): Promise<number[]> {
    return this.tokens.distinct('userId', of);
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.tokens.deleteMany({ userId });
  }

  private async revokeFamily(token: AccessToken): Promise<void> {
    const still = { familyId: familyOf(token), revokedAt: null };
    for (const other of await this.tokens.find(still).lean<AccessToken[]>()) await this.revoke(other);
  }
}

const familyOf = ({ _id, familyId }: AccessToken): number => familyId ?? _id;
