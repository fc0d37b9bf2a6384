import { deployTokenErrors, type Page, tokenRevoked } from '@moothall/contracts';
import { Counters, findPage, newEvent, Outbox } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { newTokenValue } from '../personal-access-token/token-value';
import type { DeployToken, TokenParent } from './deploy-token.schema';

const prefix = 'gldt-';

type NewToken = Pick<DeployToken, 'parent' | 'name' | 'scopes' | 'expiresAt'>;
type Paging = { page: number; per_page: number };

/** Every query on deploy tokens. */
@Injectable()
export class DeployTokens {
  constructor(
    @InjectModel('DeployToken') private readonly tokens: Model<DeployToken>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  /** @param username by default one with the id of the token */
  async issue(request: NewToken, username?: string | null): Promise<{ token: DeployToken; value: string }> {
    const _id = await this.counters.next('deploy_tokens');
    const value = newTokenValue(prefix);
    const token = await this.outbox.insert(this.tokens, {
      _id,
      ...request,
      username: username || `gitlab+deploy-token-${_id}`,
      sha256: sha256(value),
      revokedAt: null,
    });
    return { token, value };
  }

  findByHash(hash: string): Promise<DeployToken | null> {
    return this.tokens.findOne({ sha256: hash }).lean<DeployToken>();
  }

  /** @throws deploy_token.not_found, also for a token of another parent */
  async get(parent: TokenParent, id: number): Promise<DeployToken> {
    const token = await this.tokens.findOne({ _id: id, ...ofParent(parent) }).lean<DeployToken>();
    if (!token) throw deployTokenErrors.notFound();
    return token;
  }

  /** @param parent absent for all tokens of the instance */
  page(parent: TokenParent | undefined, input: Paging & { active?: boolean | undefined }): Promise<Page<DeployToken>> {
    const state: QueryFilter<DeployToken> = input.active
      ? { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] }
      : {};
    return findPage(this.tokens, { ...(parent && ofParent(parent)), ...state }, { _id: 1 }, input);
  }

  /** A revoked token stays unchanged. */
  async revoke(token: DeployToken): Promise<void> {
    const event = newEvent(tokenRevoked, { token_sha256: token.sha256, user_id: null });
    const still = { _id: token._id, revokedAt: null };
    await this.outbox.update(this.tokens, still, { $set: { revokedAt: new Date() } }, event);
  }

  /** Deletes the tokens of a deleted project or group. */
  async removeOf(parent: TokenParent): Promise<void> {
    await this.tokens.deleteMany(ofParent(parent));
  }
}

const ofParent = ({ kind, id }: TokenParent) => ({ 'parent.kind': kind, 'parent.id': id });
