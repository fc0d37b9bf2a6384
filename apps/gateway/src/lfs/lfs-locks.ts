import {
  type Caller,
  commonErrors,
  createLfsLock,
  deleteLfsLock,
  listLfsLocks,
  verifyLfsLocks,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf, LfsAccess, type LfsPrincipal } from './lfs-access';
import { sendLfs } from './lfs-answers';
import { lockBody, locksQuery, readLfsBody, readLfsQuery, unlockBody, verifyLocksBody } from './lfs-bodies';
import type { LfsRequest } from './lfs-request';

/** Locks of Git LFS, over HTTP. See docs/api/lfs.md#5. */
@Injectable()
export class LfsLocks {
  constructor(
    private readonly access: LfsAccess,
    private readonly operations: OperationClient,
  ) {}

  async list({ path }: LfsRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const asked = readLfsQuery(locksQuery, request);
    const principal = await this.access.require(request, path, 'git-upload-pack');
    sendLfs(reply, await this.operations.call(listLfsLocks, asked, contextOf(request, principal)));
  }

  async create({ path }: LfsRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const given = readLfsBody(lockBody, request);
    const principal = await this.asUser(request, path);
    const { lock, is_new } = await this.operations.call(createLfsLock, given, contextOf(request, principal));
    if (is_new) sendLfs(reply, { lock }, 201);
    else sendLfs(reply, { lock, message: 'already created lock' }, 409);
  }

  async verify({ path }: LfsRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const asked = readLfsBody(verifyLocksBody, request);
    const principal = await this.access.require(request, path, 'git-receive-pack');
    sendLfs(reply, await this.operations.call(verifyLfsLocks, asked, contextOf(request, principal)));
  }

  async unlock(
    { path, lockId }: LfsRequest & { what: 'unlock' },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { force } = readLfsBody(unlockBody, request);
    const principal = await this.asUser(request, path);
    const asked = { lock_id: lockId, force };
    sendLfs(reply, await this.operations.call(deleteLfsLock, asked, contextOf(request, principal)));
  }

  /** A lock has a user as owner. @throws common.forbidden for deploy keys and deploy tokens */
  private async asUser(request: FastifyRequest, path: string): Promise<LfsPrincipal & { caller: Caller }> {
    const { project, caller } = await this.access.require(request, path, 'git-receive-pack');
    if (!caller || caller.credential === 'deploy_token') throw commonErrors.forbidden();
    return { project, caller };
  }
}
