import { Transform } from 'node:stream';
import { commonErrors, type Operation } from '@moothall/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, preParsingHookHandler, RequestPayload } from 'fastify';
import { Callers, mayAsk } from '../credentials/callers';
import { addressWithSuffix, parseGitRequest } from '../git-transport/git-request';
import { isLfsRequest } from '../git-transport/refuse-lfs';
import { requireTier } from '../routes/require-tier';
import { type GatewaySettings, gatewaySettingsToken } from '../settings';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of the generated routes. */
    operation?: Operation;
  }
}

/** A body may say who asks; of one that has not by then, no more is read. */
export const credentialBytes = 1024 * 1024;

/** Decides before a body is read whether it is: first who asks, then what they send. */
@Injectable()
export class BodyAdmission {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly callers: Callers,
  ) {}

  readonly hook: preParsingHookHandler = (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload);
    this.admit(request, reply, payload).then(
      (admitted) => {
        if (request.headers.expect !== undefined) reply.raw.writeContinue();
        done(null, admitted);
      },
      (error: Error) => done(error),
    );
  };

  private async admit(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): Promise<RequestPayload> {
    const { operation } = request.routeOptions.config;
    if (!operation) return requireGit(request, payload);
    requireTier(operation, this.settings.EDITION);
    await this.callers.identify(request, reply, operation);
    const isMultipart = request.headers['content-type']?.startsWith('multipart/');
    if (isMultipart || mayAsk(operation, request)) return payload;
    if (Number(request.headers['content-length'] ?? 0) > credentialBytes) throw commonErrors.unauthorized();
    return payload.pipe(upTo(credentialBytes));
  }
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Of routes that are none of the interface, only those of git have anything to read. */
function requireGit({ method, url }: FastifyRequest, payload: RequestPayload): RequestPayload {
  if (!isLfsRequest(url) && !addressWithSuffix(method, url) && !parseGitRequest(method, url))
    throw commonErrors.noRoute();
  return payload;
}

function upTo(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > bytes) done(commonErrors.unauthorized());
      else done(null, chunk);
    },
  });
}
