import { commonErrors, errorTable, OperationError } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { askToSignIn, refuseLfs } from './lfs-answers';
import { LfsLocks } from './lfs-locks';
import { LfsObjects } from './lfs-objects';
import { type LfsRequest, parseLfsRequest } from './lfs-request';

/** Routes below `/<path>.git/info/lfs`. */
@Injectable()
export class Lfs {
  constructor(
    private readonly objects: LfsObjects,
    private readonly locks: LfsLocks,
  ) {}

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      const asked = parseLfsRequest(request.method, request.url);
      if (!asked) throw commonErrors.notFound();
      await this.run(asked, request, reply);
    } catch (error) {
      if (!(error instanceof OperationError) || reply.raw.headersSent) throw error;
      if (isUnknown(request) && isRefusal(error)) askToSignIn(request, reply);
      else refuseLfs(error, request, reply);
    }
  }

  private run(asked: LfsRequest, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    switch (asked.what) {
      case 'batch':
        return this.objects.batch(asked, request, reply);
      case 'download':
        return this.objects.download(asked, request, reply);
      case 'upload':
        return this.objects.upload(asked, request, reply);
      case 'verify':
        return this.objects.verify(asked, request, reply);
      case 'locks':
        return this.locks.list(asked, request, reply);
      case 'lock':
        return this.locks.create(asked, request, reply);
      case 'verify-locks':
        return this.locks.verify(asked, request, reply);
      case 'unlock':
        return this.locks.unlock(asked, request, reply);
    }
  }
}

/** Also for a project that an anonymous caller may not see. */
const isUnknown = ({ caller, headers }: FastifyRequest): boolean => !caller && headers.authorization === undefined;

const isRefusal = ({ code }: OperationError): boolean =>
  !code.startsWith('lfs.') && [400, 401, 403, 404].includes(errorTable.get(code)?.status ?? 0);
