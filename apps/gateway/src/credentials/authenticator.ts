import { EventedCache } from '@moothall/access';
import {
  applicationSettingsChanged,
  authenticateBasic,
  authenticateDeployToken,
  authenticateToken,
  authenticationErrors,
  type Caller,
  commonErrors,
  type EventRecord,
  impersonate,
  jobTokenUser,
  tokenRevoked,
  userChanged,
  userDeleted,
} from '@moothall/contracts';
import { RecordsClient } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';

interface Authenticated {
  caller: Caller;
  expires_at: string | null;
}

const cacheOptions = { max: 20_000 };

/** Resolves credentials to callers, by identity. Answers are cached until an event invalidates them. */
@Injectable()
export class Authenticator {
  private readonly tokens: EventedCache<Authenticated>;
  private readonly passwords: EventedCache<Authenticated>;

  constructor(private readonly records: RecordsClient) {
    const expiresAfter = (seconds: number) => ({ ...cacheOptions, seconds: records.areElsewhere ? 0 : seconds });
    this.tokens = new EventedCache(expiresAfter(60));
    this.passwords = new EventedCache(expiresAfter(30));
  }

  /** @throws common.unauthorized and authentication.*, the errors of identity */
  async findByToken(token: string): Promise<Caller> {
    return this.findByHash(sha256(token), authenticateToken);
  }

  /** User name with password or token, as git and registry clients send them. */
  async findByPassword(username: string, password: string, ip: string): Promise<Caller> {
    if (password === '') throw commonErrors.unauthorized();
    // The key is a hash, so that no password stays in memory longer than its request.
    const key = sha256(`${username}\0${password}`);
    const ask = () => this.records.call(authenticateBasic, { username, password, ip });
    // A job token ends with its job, without an event.
    const known = username === jobTokenUser ? ask() : this.passwords.get(key, ask);
    const { caller, expires_at } = await known;
    if (expires_at !== null && Date.parse(expires_at) <= Date.now()) throw authenticationErrors.expired();
    return caller;
  }

  /** The caller of a running job. @throws common.unauthorized, also for tokens of other kinds */
  async findByJobToken(token: string, ip: string): Promise<Caller> {
    const caller = await this.findByPassword(jobTokenUser, token, ip);
    if (caller.credential !== 'job_token') throw commonErrors.unauthorized();
    return caller;
  }

  /** The caller of a deploy token without its user name. @throws as findByToken */
  async findByDeployToken(token: string): Promise<Caller> {
    return this.findByHash(sha256(token), authenticateDeployToken);
  }

  /** The user that an administrator acts as. */
  async sudo(administrator: Caller, user: string): Promise<Caller> {
    const { caller } = await this.records.call(impersonate, { user });
    return {
      ...caller,
      credential: administrator.credential,
      tokenId: administrator.tokenId,
      scopes: administrator.scopes,
    };
  }

  private async findByHash(
    token_sha256: string,
    authenticate: typeof authenticateToken | typeof authenticateDeployToken,
  ): Promise<Caller> {
    const key = `${authenticate.name} ${token_sha256}`;
    const known = await this.tokens.get(key, () => this.records.call(authenticate, { token_sha256 }));
    if (known.expires_at !== null && Date.parse(known.expires_at) <= Date.now()) throw authenticationErrors.expired();
    return known.caller;
  }

  onEvent(event: EventRecord): void {
    // They decide which kinds of credentials are accepted.
    if (event.name === applicationSettingsChanged.name) this.forgetAll();
    if (event.name === tokenRevoked.name) {
      const { token_sha256 } = event.data as { token_sha256: string };
      this.tokens.drop((_, key) => key.endsWith(token_sha256));
      this.passwords.clear();
    }
    if (event.name === userChanged.name || event.name === userDeleted.name) {
      const { user_id } = event.data as { user_id: number };
      this.tokens.drop(({ caller }) => caller.id === user_id);
      this.passwords.drop(({ caller }) => caller.id === user_id);
    }
  }

  forgetAll(): void {
    this.tokens.clear();
    this.passwords.clear();
  }
}
