import { randomBytes, randomUUID } from 'node:crypto';
import { type Scope, tokenRevoked } from '@moothall/contracts';
import { Counters, newEvent, Outbox } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { OauthToken } from './oauth-token.schema';

export const accessTokenSeconds = 7200;

export interface Grant {
  applicationId: number | null;
  userId: number | null;
  scopes: Scope[];
  familyId?: string;
}

export interface IssuedOauthToken {
  token: OauthToken;
  accessToken: string;
  refreshToken: string | null;
}

/** Every query on OAuth tokens. */
@Injectable()
export class OauthTokens {
  constructor(
    @InjectModel('OauthToken') private readonly tokens: Model<OauthToken>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  async issue(grant: Grant, { isRefreshable }: { isRefreshable: boolean }): Promise<IssuedOauthToken> {
    // Clients recognise OAuth tokens by their 64 characters. See docs/api/tokens.md#1.
    const accessToken = randomBytes(32).toString('hex');
    const refreshToken = isRefreshable ? randomBytes(32).toString('hex') : null;
    const token = await this.outbox.insert(this.tokens, {
      _id: await this.counters.next('oauth_tokens'),
      sha256: sha256(accessToken),
      refreshSha256: refreshToken && sha256(refreshToken),
      familyId: randomUUID(),
      ...grant,
      expiresAt: new Date(Date.now() + accessTokenSeconds * 1000),
      revokedAt: null,
      refreshUsedAt: null,
    });
    return { token, accessToken, refreshToken };
  }

  findByHash(hash: string): Promise<OauthToken | null> {
    return this.tokens.findOne({ sha256: hash }).lean<OauthToken>();
  }

  findByRefreshToken(refreshToken: string): Promise<OauthToken | null> {
    return this.tokens.findOne({ refreshSha256: sha256(refreshToken) }).lean<OauthToken>();
  }

  /** Uses up a refresh token, and revokes its access token. @returns false if it was used */
  async useRefreshToken(token: OauthToken): Promise<boolean> {
    const now = new Date();
    const unused = { _id: token._id, refreshUsedAt: null, revokedAt: token.revokedAt };
    const change = { $set: { refreshUsedAt: now, revokedAt: token.revokedAt ?? now } };
    return (await this.outbox.update(this.tokens, unused, change, revocationOf(token))) !== null;
  }

  async revoke(token: OauthToken): Promise<void> {
    const now = new Date();
    const still = { _id: token._id, $or: [{ revokedAt: null }, { refreshUsedAt: null }] };
    const change = { $set: { revokedAt: token.revokedAt ?? now, refreshUsedAt: token.refreshUsedAt ?? now } };
    await this.outbox.update(this.tokens, still, change, revocationOf(token));
  }

  /** Revokes all tokens of one consent. */
  revokeFamily(familyId: string): Promise<void> {
    return this.revokeAll({ familyId });
  }

  revokeOfApplication(applicationId: number): Promise<void> {
    return this.revokeAll({ applicationId });
  }

  revokeAuthorization(userId: number, applicationId: number): Promise<void> {
    return this.revokeAll({ userId, applicationId });
  }

  private async revokeAll(filter: QueryFilter<OauthToken>): Promise<void> {
    const good = { ...filter, $or: [{ revokedAt: null }, { refreshUsedAt: null }] };
    for await (const token of this.tokens.find(good).lean<OauthToken[]>().cursor()) await this.revoke(token);
  }

  /** A user's current authorizations: one entry for each token that can still be used or refreshed. */
  authorizationsOf(userId: number): Promise<OauthToken[]> {
    const usable = { refreshSha256: { $ne: null }, refreshUsedAt: null };
    const unexpired = { revokedAt: null, expiresAt: { $gt: new Date() } };
    return this.tokens
      .find({ userId, $or: [usable, unexpired] })
      .sort({ _id: -1 })
      .lean<OauthToken[]>();
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.tokens.deleteMany({ userId });
  }
}

const revocationOf = (token: OauthToken) =>
  newEvent(tokenRevoked, { token_sha256: token.sha256, user_id: token.userId });
