import {
  authenticateBasic,
  authenticateDeployToken,
  authenticateSshKey,
  authenticateToken,
  type ContextOf,
  commonErrors,
  impersonate,
  jobTokenUser,
  type ParsedOf,
  type ResultOf,
  type Scope,
  userErrors,
} from '@moothall/contracts';
import { Handles, KnownSettings } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { CheckPassword, isPasswordDue } from '../sign-in/check-password';
import { SshKeys } from '../ssh-key/ssh-key.repository';
import type { SshKey } from '../ssh-key/ssh-key.schema';
import { callerOf, refusalOf } from '../user/caller';
import { Users } from '../user/user.repository';
import { DeployTokenBearer } from './deploy-token-bearer';
import { JobTokenBearer } from './job-token-bearer';
import { NodeBearer } from './node-bearer';
import { TokenBearer } from './token-bearer';

/** Scopes of a password without a token: code and images, but not the API. See docs/api/requests.md#1. */
const passwordScopes: Scope[] = ['read_repository', 'write_repository', 'read_registry', 'write_registry'];

@Controller()
export class AuthenticationOperations {
  constructor(
    private readonly users: Users,
    private readonly holders: TokenBearer,
    private readonly jobHolders: JobTokenBearer,
    private readonly deployHolders: DeployTokenBearer,
    private readonly nodeHolders: NodeBearer,
    private readonly keys: SshKeys,
    private readonly passwords: CheckPassword,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(authenticateToken)
  async token(
    _context: ContextOf<typeof authenticateToken>,
    { token_sha256 }: ParsedOf<typeof authenticateToken>,
  ): Promise<ResultOf<typeof authenticateToken>> {
    const holder = await this.holders.find(token_sha256);
    if (!holder) throw commonErrors.unauthorized();
    return holder;
  }

  @Handles(authenticateBasic)
  async basic(
    _context: ContextOf<typeof authenticateBasic>,
    { username, password, ip }: ParsedOf<typeof authenticateBasic>,
  ): Promise<ResultOf<typeof authenticateBasic>> {
    const holder = (await this.nodeHolders.find(username, password)) ?? (await this.holders.find(sha256(password)));
    if (holder) return holder;
    if (username === jobTokenUser) return this.jobHolders.get(sha256(password));
    const deployHolder = await this.deployHolders.find(sha256(password), username);
    if (deployHolder) return deployHolder;
    if (!(await this.instance.read()).password_authentication_enabled_for_git) throw commonErrors.unauthorized();
    const user = await this.passwords.holder(username, password, ip ?? 'unknown');
    // With a second factor, or while a new password is due, only tokens are accepted.
    if (!user || user.twoFactor || isPasswordDue(user)) throw commonErrors.unauthorized();
    const refusal = refusalOf(user);
    if (refusal) throw refusal;
    return { caller: callerOf(user, { credential: 'password', scopes: passwordScopes }), expires_at: null };
  }

  @Handles(authenticateDeployToken)
  async deployToken(
    _context: ContextOf<typeof authenticateDeployToken>,
    { token_sha256 }: ParsedOf<typeof authenticateDeployToken>,
  ): Promise<ResultOf<typeof authenticateDeployToken>> {
    const holder = await this.deployHolders.find(token_sha256);
    if (!holder) throw commonErrors.unauthorized();
    return holder;
  }

  @Handles(authenticateSshKey)
  async sshKey(
    _context: ContextOf<typeof authenticateSshKey>,
    { fingerprint_sha256 }: ParsedOf<typeof authenticateSshKey>,
  ): Promise<ResultOf<typeof authenticateSshKey>> {
    const key = await this.keys.findByFingerprint({ sha256: fingerprint_sha256 });
    if (!key || key.usage === 'signing' || isDue(key.expiresAt)) throw commonErrors.unauthorized();
    await this.keys.markUsed(key._id);
    if (key.kind === 'deploy') return { caller: null, deploy_key: deployKeyOf(key) };
    const user = await this.users.find(key.userId);
    if (!user) throw commonErrors.unauthorized();
    const refusal = refusalOf(user);
    if (refusal) throw refusal;
    const scopes: Scope[] = ['read_repository', 'write_repository'];
    return { caller: callerOf(user, { credential: 'ssh_key', scopes }), deploy_key: null };
  }

  @Handles(impersonate)
  async sudo(
    _context: ContextOf<typeof impersonate>,
    { user: reference }: ParsedOf<typeof impersonate>,
  ): Promise<ResultOf<typeof impersonate>> {
    const user = await this.users.findByReference(reference);
    if (!user) throw userErrors.notFound();
    const refusal = refusalOf(user);
    if (refusal) throw refusal;
    return { caller: callerOf(user, { credential: 'session', scopes: [] }) };
  }
}

const isDue = (expiresAt: Date | null): boolean => expiresAt !== null && expiresAt.getTime() <= Date.now();

const deployKeyOf = (key: SshKey) => ({
  id: key._id,
  title: key.title,
  projects: key.enablements.map(({ projectId, canPush }) => ({ project_id: projectId, can_push: canPush })),
});
