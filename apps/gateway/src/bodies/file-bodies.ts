import { finished } from 'node:stream';
import { checkAccess, ResourceResolver } from '@moothall/access';
import { commonErrors, invalidParameters, type Operation } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import { Callers, mayAsk } from '../credentials/callers';
import { bodyFileOf } from '../parameters/refuse-plain-files';
import { UploadSpool } from '../uploads/spool';
import { FileLimits } from './file-limits';
import { asRefusal } from './multipart-bodies';

type Field = NonNullable<ReturnType<typeof bodyFileOf>>;

/** Reads bodies that are files, up to their limit, and only after the caller is accepted. */
@Injectable()
export class FileBodies {
  constructor(
    private readonly callers: Callers,
    private readonly resources: ResourceResolver,
    private readonly limits: FileLimits,
    private readonly spool: UploadSpool,
  ) {}

  readonly hook: preValidationHookHandler = (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    const field = operation && bodyFileOf(operation);
    if (!field || request.isMultipart()) return done();
    this.read(operation, field, request, reply).then(
      () => done(),
      (error: Error) => done(error),
    );
  };

  private async read(
    operation: Operation,
    [name, field]: Field,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const limit = await this.limits.read(field.limit);
    if (Number(request.headers['content-length'] ?? 0) > limit.bytes) throw limit.tooLarge(limit.bytes);
    if (name in (request.query as object)) throw invalidParameters(`${name} is invalid`);
    await this.callers.identify(request, reply, operation);
    if (!mayAsk(operation, request)) throw commonErrors.unauthorized();
    const { id } = request.params as { id?: string };
    await checkAccess(operation, request.caller, String(id), this.resources);
    const upload = this.spool.begin();
    request.upload = upload;
    finished(reply.raw, () => upload.abandon());
    try {
      // A refusal in the middle is answered: the request is not read further, and stays open.
      const file: AsyncIterable<Buffer> = request.raw.iterator({ destroyOnReturn: false });
      const sent = { file, filename: name, mimetype: 'application/octet-stream' };
      request.body = { [name]: await upload.write(sent, limit) };
    } catch (error) {
      await upload.release();
      throw asRefusal(error);
    }
  }
}
