import { Transform } from 'node:stream';
import { commonErrors, type Operation } from '@moothall/contracts';
import { shareOf } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, preParsingHookHandler, RequestPayload } from 'fastify';
import { requireTier } from '../access/require-tier';
import { Callers, mayAsk } from '../credentials/callers';
import { addressWithSuffix, parseGitRequest } from '../git-transport/git-request';
import { isLfsRequest } from '../git-transport/refuse-lfs';
import { BodyBudget } from '../limits/body-budget';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { escapeFactor } from './body-parsers';

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
    private readonly budget: BodyBudget,
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
    const mayCome = isMultipart || mayAsk(operation, request);
    if (!mayCome && lengthOf(request) > credentialBytes) throw commonErrors.unauthorized();
    const counted = this.count(request, reply, payload, isMultipart ? this.settings.MAX_BODY : undefined);
    return mayCome ? counted : counted.pipe(upTo(credentialBytes));
  }

  /** Against the budget of all bodies: by the length that it says, else as it comes. */
  private count(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload, most?: number): RequestPayload {
    const who = shareOf({ caller: request.caller, client: { ip: request.ip, userAgent: '' } })!;
    let taken = 0;
    const take = (bytes: number): void => {
      this.budget.take(who, bytes);
      taken += bytes;
    };
    reply.raw.once('close', () => this.budget.giveBack(who, taken));
    const length = lengthOf(request);
    // What is longer than any body may be is refused unread.
    if (length > 0 || most) take(Math.min(length || Number.POSITIVE_INFINITY, most ?? this.longest));
    return length > 0 || most ? payload : payload.pipe(counting(take));
  }

  private get longest(): number {
    return this.settings.MAX_BODY * escapeFactor;
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

const lengthOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

function counting(take: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        take(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
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
