import { finished } from 'node:stream';
import { commonErrors, forbidden, type OperationError } from '@moothall/contracts';
import { ConnectionPools } from '@moothall/data-port';
import { servesCopies } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { request as fetch } from 'undici';
import { bodyOf } from '../answer/presigned-stream';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';

/** Timeout of a primary that sends no bytes; slow readers are not affected. */
const silenceMs = 120_000;
const connections = new ConnectionPools({
  connect: { timeout: 5_000 },
  headersTimeout: silenceMs,
  bodyTimeout: silenceMs,
  keepAliveTimeout: 5_000,
});

/** Hop-by-hop headers, which are not forwarded. */
const ofConnection = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const notPassedOn = new Set([...ofConnection, 'via', 'x-forwarded-for']);
const notPassedBack = new Set([...ofConnection, 'date', 'x-request-id', 'x-runtime']);
/** Lets a secondary detect requests from a secondary, possibly itself. */
const mark = '1.1 moothall-secondary';

/** The primary of this site, if it is a secondary that serves its copies. See docs/api/geo-replication.md#5. */
@Injectable()
export class Primary {
  private readonly url: string;
  /** Whether this site serves its copies. */
  readonly isFollowed: boolean;

  constructor(@Inject(gatewaySettingsToken) settings: GatewaySettings) {
    this.isFollowed = servesCopies(settings);
    this.url = (settings.GEO_PRIMARY_URL ?? '').replace(/\/$/, '');
  }

  /** The URL on the primary for a path of this site. */
  addressOf(path: string): string {
    return this.url + path;
  }

  /** A message for users of git. */
  whereTo(path: string): string {
    return `This site is a secondary, and holds copies. Use its primary: ${this.addressOf(encodeURI(`/${path}.git`))}`;
  }

  /** The answer to a client that wants to change something. */
  refusal(): OperationError {
    return forbidden(`This site is a secondary, and changes nothing. Use its primary: ${this.url}`);
  }

  /**
   * Forwards a request to the primary with the client's credentials, and returns its response.
   * @throws common.unavailable if it does not answer
   */
  async forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { originalUrl: path, headers, raw } = request;
    if (headers.via?.includes(mark)) throw away('The primary of this site is a secondary itself');
    if (!path.startsWith('/')) throw commonErrors.badRequest();
    const gone = new AbortController();
    finished(reply.raw, () => gone.abort());
    const sendsBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (sendsBody && headers.expect !== undefined) reply.raw.writeContinue();
    const answer = await fetch(this.addressOf(path), {
      dispatcher: connections.to(this.url),
      method: request.method as 'GET',
      headers: this.passedOn(request),
      body: sendsBody ? bodyOf(raw) : null,
      signal: gone.signal,
    }).catch((error: unknown) => {
      throw gone.signal.aborted ? error : away('The primary of this site does not answer');
    });
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !notPassedBack.has(name)) reply.header(name, value);
    }
    reply.code(answer.statusCode).header('via', mark);
    const hasNone = request.method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304;
    if (!hasNone) await reply.send(answer.body);
    else {
      await answer.body.dump();
      await reply.send();
    }
  }

  private passedOn({ headers, ip }: FastifyRequest): Record<string, string | string[]> {
    const passed = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || notPassedOn.has(name) ? [] : [[name, value] as const],
    );
    const before = headers['x-forwarded-for'];
    return {
      ...Object.fromEntries(passed),
      via: [headers.via, mark].filter(Boolean).join(', '),
      'x-forwarded-for': [before, ip].flat().filter(Boolean).join(', '),
    };
  }
}

const away = (words: string): OperationError => commonErrors.unavailable(`503 Service Unavailable - ${words}`);
