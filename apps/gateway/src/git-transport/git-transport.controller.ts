import {
  Access,
  type Caller,
  commonErrors,
  gitExchange,
  isError,
  type OperationError,
  onProject,
  type ProjectRef,
  type ProjectRule,
  type Scope,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { All, Controller, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireProject } from '../access/check-access';
import { Targets } from '../access/targets';
import { streamTicket } from '../answer/ticket-stream';
import { CredentialGuard } from '../credentials/credential.guard';
import { type GitRequest, parseGitRequest } from './git-request';

const toFetch = { levelInPrivate: Access.Reporter, anonymous: true } as const;
const rules: Record<GitRequest['service'], Record<GitRequest['repository'], ProjectRule>> = {
  'git-upload-pack': {
    project: onProject({ feature: 'repository', ...toFetch }),
    wiki: onProject({ feature: 'wiki', anonymous: true }),
  },
  'git-receive-pack': {
    project: onProject({ feature: 'repository', level: Access.Developer }),
    wiki: onProject({ feature: 'wiki', level: Access.Developer }),
  },
};
const scopes: Record<GitRequest['service'], Scope[]> = {
  'git-upload-pack': ['api', 'read_api', 'read_repository', 'write_repository'],
  'git-receive-pack': ['api', 'write_repository'],
};

/** Clone, fetch and push over smart HTTP, at `/<full path>.git`. */
@Controller()
@UseGuards(CredentialGuard)
export class GitTransportController {
  constructor(
    private readonly operations: OperationClient,
    private readonly targets: Targets,
  ) {}

  @All('*')
  async exchange(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asked = parseGitRequest(request.method, request.url);
    if (!asked) throw commonErrors.noRoute();
    const project = await this.allowed(asked, request.caller).catch((error: unknown) => {
      // git asks for a password only when told 401, also for what an anonymous caller may not know of.
      if (!request.caller && isRefusal(error)) return undefined;
      throw error;
    });
    if (!project) {
      reply.header('www-authenticate', 'Basic realm="Moothall"').code(401).type('text/plain').send('Sign in to go on');
      return;
    }
    const protocol = request.headers['git-protocol'];
    const ticket = await this.operations.call(
      gitExchange,
      {
        service: asked.service,
        phase: asked.phase,
        repository: asked.repository,
        ...(typeof protocol === 'string' && { protocol }),
      },
      { requestId: request.id, caller: request.caller, project },
    );
    await streamTicket(ticket, request, reply, { sendsBody: asked.phase === 'rpc' });
  }

  private async allowed(asked: GitRequest, caller: Caller | undefined): Promise<ProjectRef> {
    const project = await this.targets.project(asked.path, caller);
    requireProject(rules[asked.service][asked.repository], project, caller, gitExchange);
    if (caller && !caller.scopes.some((scope) => scopes[asked.service].includes(scope))) throw commonErrors.forbidden();
    if (asked.service === 'git-receive-pack' && project.isArchived) throw commonErrors.forbidden();
    return project;
  }
}

const isRefusal = (error: unknown): error is OperationError =>
  [commonErrors.notFound, commonErrors.unauthorized, commonErrors.forbidden].some((maker) => isError(error, maker));
