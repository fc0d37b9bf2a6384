import { type Caller, commonErrors, lfsErrors, type OperationContext, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GitAccess, type GitTarget } from '../git-access/git-access';
import { KeyHolders } from '../git-access/key-holders';
import { type LfsCredential, LfsCredentials } from './lfs-credentials';

type Service = GitTarget['service'];

/** Who asks for what of which project; nobody where a deploy key does. */
export interface LfsAsker {
  project: ProjectRef;
  caller?: Caller | undefined;
}

/** Who may fetch and send objects: whoever may fetch and push, by all ways in which git does over HTTP, and a credential of SSH. */
@Injectable()
export class LfsAccess {
  constructor(
    private readonly git: GitAccess,
    private readonly credentials: LfsCredentials,
    private readonly keys: KeyHolders,
  ) {}

  /** @throws as GitAccess; lfs.switched_off; common.unauthorized for credentials that are not good any more */
  async require(request: FastifyRequest, path: string, service: Service): Promise<LfsAsker> {
    const asked: GitTarget = { path, repository: 'project', service };
    const credential = this.credentials.read(request.headers.authorization);
    if (credential === null) throw commonErrors.unauthorized();
    const asker = credential
      ? await this.byKey(asked, credential)
      : { caller: request.caller, project: await this.git.requireForCaller(asked, request.caller) };
    if (asker.project.lfsEnabled === false) throw lfsErrors.switchedOff();
    return asker;
  }

  /** Who was let in to send may fetch, too. */
  private async byKey(asked: GitTarget, { fingerprint, projectId, service }: LfsCredential): Promise<LfsAsker> {
    const holder = await this.keys.find(fingerprint);
    const project = await this.git.requireForHolder(asked, holder);
    if (project.id !== projectId) throw commonErrors.notFound();
    if (asked.service === 'git-receive-pack' && service !== asked.service) throw commonErrors.forbidden();
    return { project, caller: holder.caller };
  }
}

export const contextOf = (request: FastifyRequest, { project, caller }: LfsAsker): OperationContext => ({
  requestId: request.id,
  caller,
  client: { ip: request.ip, userAgent: '' },
  project,
});
