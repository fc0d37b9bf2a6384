import { ResourceResolver } from '@moothall/access';
import {
  commonErrors,
  errorTable,
  gitExchange,
  isReadable,
  OperationError,
  type ProjectRef,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { All, Controller, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { streamPresigned } from '../answer/presigned-stream';
import { ResourcePages, sendsForm, wantsFile, wantsPage } from '../answer/resource-pages';
import { BrowserSession } from '../credentials/browser-session';
import { CredentialGuard } from '../credentials/credential.guard';
import { CreateOnPush } from '../git-access/create-on-push';
import { explainRefusal } from '../git-access/explain-refusal';
import { GitAccess, kindOf, nameOf } from '../git-access/git-access';
import { Lfs } from '../lfs/lfs';
import { isLfsRequest } from '../lfs/lfs-request';
import { Copies } from '../secondary/copies';
import { Primary } from '../secondary/primary';
import { addressWithSuffix, type GitRequest, parseGitRequest } from './git-request';
import { parseUploadAddress } from './upload-address';

/** Clone, fetch and push over smart HTTP, at `/<full path>.git`; and pages for browsers at all other addresses. */
@Controller()
@UseGuards(CredentialGuard)
export class GitTransportController {
  constructor(
    private readonly operations: OperationClient,
    private readonly access: GitAccess,
    private readonly resources: ResourceResolver,
    private readonly creation: CreateOnPush,
    private readonly pages: ResourcePages,
    private readonly browser: BrowserSession,
    private readonly lfs: Lfs,
    private readonly copies: Copies,
    private readonly primary: Primary,
  ) {}

  @All('*')
  async exchange(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (isLfsRequest(request.url)) return this.lfs.answer(request, reply);
    const withSuffix = addressWithSuffix(request.method, request.url);
    if (withSuffix) {
      await reply.redirect(withSuffix, 301);
      return;
    }
    const file = await this.fileOf(request);
    if (file !== undefined) {
      await reply.redirect(file, 302);
      return;
    }
    const asked = parseGitRequest(request.method, request.url);
    if (!asked && wantsFile(request)) return this.pages.sendFile(request, reply);
    if (!asked && wantsPage(request)) return this.pages.show(request, reply);
    if (!asked && sendsForm(request)) return this.pages.takeForm(request, reply);
    if (!asked) throw commonErrors.noRoute();
    if (this.primary.isFollowed && asked.service === 'git-receive-pack') {
      reply
        .code(403)
        .type('text/plain')
        .send(`${this.primary.whereTo(nameOf(asked))}\n`);
      return;
    }
    try {
      await this.answer(asked, request, reply);
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || reply.raw.headersSent) throw error;
      // The rest of the request would be read as the next one on the connection.
      if (!request.raw.complete) reply.header('connection', 'close');
      // Git shows plain text to its user, and of anything else only the status.
      reply
        .code(status)
        .type('text/plain')
        .send(`${explainRefusal(error)}\n`);
    }
  }

  /** An uploaded file of a project that the caller may see; any other path is not such an address. */
  private async fileOf(request: FastifyRequest): Promise<string | undefined> {
    const asked = parseUploadAddress(request.method, request.url);
    if (!asked) return undefined;
    const caller = request.caller ?? (await this.browser.callerOf(request));
    try {
      const project = await this.resources.resolveProject(asked.project, caller);
      return isReadable(project, caller) ? `/-/project/${project.id}/uploads/${asked.file}` : undefined;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /** A push starts with a request for the refs: this creates a project if there is none. */
  private async find(asked: GitRequest, { caller, id }: FastifyRequest): Promise<ProjectRef> {
    const begins = asked.service === 'git-receive-pack' && asked.phase === 'advertise';
    if (!begins) return this.access.requireForCaller(asked, caller);
    const { project, created } = await this.creation.begin(asked, { caller, requestId: id });
    if (created && caller) await this.creation.remember(created, caller);
    return project;
  }

  private async answer(asked: GitRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const project = await this.find(asked, request).catch((error: unknown) => {
      // Git asks for a password only after 401, also for projects that an anonymous caller may not see.
      if (!request.caller && isRefusal(error)) return undefined;
      throw error;
    });
    if (!project) {
      reply.header('www-authenticate', 'Basic realm="Moothall"').code(401).type('text/plain').send('Sign in to go on');
      return;
    }
    const located = this.primary.isFollowed ? await this.copies.find(project, kindOf(asked)) : project;
    if (!located) return this.primary.forward(request, reply);
    const protocol = request.headers['git-protocol'];
    const isPush = asked.service === 'git-receive-pack' && asked.phase === 'rpc';
    const presigned = await this.operations.call(
      gitExchange,
      {
        service: asked.service,
        phase: asked.phase,
        repository: asked.repository,
        ...(typeof protocol === 'string' && { protocol }),
        ...(isPush && { notice: await this.creation.recall(project, request.caller) }),
      },
      { requestId: request.id, caller: request.caller, client: { ip: request.ip, userAgent: '' }, project: located },
    );
    await streamPresigned(presigned, request, reply, { sendsBody: asked.phase === 'rpc' });
  }
}

const isRefusal = (error: unknown): boolean => [400, 401, 403, 404].includes(statusOf(error) ?? 0);

const statusOf = (error: unknown): number | undefined =>
  error instanceof OperationError ? errorTable.get(error.code)?.status : undefined;
