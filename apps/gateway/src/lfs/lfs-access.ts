import { type Caller, commonErrors, lfsErrors, type OperationContext, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GitAccess, type GitTarget } from '../git-access/git-access';
import { KeyOwners } from '../git-access/key-owners';
import { type LfsCredential, LfsCredentials } from './lfs-credentials';

type Service = GitTarget['service'];

/** Caller, project and access of a request; without a caller for a deploy key. */
export interface LfsPrincipal {
  project: ProjectRef;
  caller?: Caller | undefined;
}

/**
 * Decides who may fetch and send objects: users who may fetch and push, with all credentials of git over HTTP, and with
 * one issued over SSH.
 */
@Injectable()
export class LfsAccess {
  constructor(
    private readonly git: GitAccess,
    private readonly credentials: LfsCredentials,
    private readonly keys: KeyOwners,
  ) {}

  /** @throws the errors of GitAccess; lfs.switched_off; common.unauthorized for invalid credentials */
  async require(request: FastifyRequest, path: string, service: Service): Promise<LfsPrincipal> {
    const asked: GitTarget = { path, repository: 'project', service };
    const credential = this.credentials.read(request.headers.authorization);
    if (credential === null) throw commonErrors.unauthorized();
    const principal = credential
      ? await this.byKey(asked, credential)
      : { caller: request.caller, project: await this.git.requireForCaller(asked, request.caller) };
    if (principal.project.lfsEnabled === false) throw lfsErrors.switchedOff();
    return principal;
  }

  /** A credential for uploads also allows downloads. */
  private async byKey(asked: GitTarget, { fingerprint, projectId, service }: LfsCredential): Promise<LfsPrincipal> {
    const holder = await this.keys.find(fingerprint);
    const project = await this.git.requireForHolder(asked, holder);
    if (project.id !== projectId) throw commonErrors.notFound();
    if (asked.service === 'git-receive-pack' && service !== asked.service) throw commonErrors.forbidden();
    return { project, caller: holder.caller };
  }
}

export const contextOf = (request: FastifyRequest, { project, caller }: LfsPrincipal): OperationContext => ({
  requestId: request.id,
  caller,
  client: { ip: request.ip, userAgent: '' },
  project,
});
