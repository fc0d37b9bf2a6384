import { Transform } from 'node:stream';
import { requireTier } from '@moothall/access';
import { commonErrors, type Operation } from '@moothall/contracts';
import { shareOfClient } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, preParsingHookHandler, RequestPayload } from 'fastify';
import { speaksGraphql } from '../answer/graphql-error';
import { sendsForm } from '../answer/resource-pages';
import { Callers, mayAsk } from '../credentials/callers';
import { addressWithSuffix, parseGitRequest } from '../git-transport/git-request';
import { lfsContentType, mostLfsBody } from '../lfs/lfs-answers';
import { isLfsRequest, isLfsUpload } from '../lfs/lfs-request';
import { BodyBudget } from '../limits/body-budget';
import { bodyFileOf } from '../parameters/refuse-plain-files';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { escapeFactor, fileContentType } from './body-parsers';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for generated routes. */
    operation?: Operation;
  }
}

/** The credential may be in the body; without one, reading stops after so many bytes. */
export const credentialBytes = 1024 * 1024;

/** Limit of a GraphQL request, with all its documents and variables. See docs/api/graphql.md#3. */
export const questionBytes = 1024 * 1024;

/** Decides before a body is read whether it is accepted: first the caller, then the size. */
@Injectable()
export class BodyAdmission {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly callers: Callers,
    private readonly budget: BodyBudget,
  ) {}

  readonly hook: preParsingHookHandler = (request, reply, payload, done) => {
    if (!hasBody(request)) {
      // An empty file may have a type, too.
      if (request.headers['content-type'] && isFile(request)) nameFile(request);
      return done(null, payload);
    }
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
    if (isLfs(request)) return this.admitLfs(request, reply, payload);
    if (speaksGraphql(request)) return this.admitQuestion(request, reply, payload);
    if (!operation && sendsForm(request)) return this.admitForm(request, reply, payload);
    if (!operation) return requireGit(request, payload);
    requireTier(operation, this.settings.EDITION);
    await this.callers.identify(request, reply, operation);
    if (isFile(request)) {
      if (!mayAsk(operation, request)) throw commonErrors.unauthorized();
      nameFile(request);
      return payload;
    }
    const isMultipart = saysMultipart(request);
    const mayCome = isMultipart || mayAsk(operation, request);
    const length = lengthOf(request);
    if (!mayCome && length > credentialBytes) throw commonErrors.unauthorized();
    const take = this.account(request, reply);
    // A body above all limits is refused unread.
    const most = isMultipart ? this.settings.MAX_BODY : this.settings.MAX_BODY * escapeFactor;
    const isKnown = length > 0 || isMultipart;
    if (isKnown) take(Math.min(length || most, most));
    if (isKnown && mayCome) return payload;
    return payload.pipe(
      watched((bytes, seen) => {
        if (!mayCome && seen > credentialBytes) throw commonErrors.unauthorized();
        if (!isKnown) take(bytes);
      }),
    );
  }

  /** An LFS object is streamed, whatever its type is; any other body is a small text of git-lfs. */
  private async admitLfs(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
  ): Promise<RequestPayload> {
    await this.callers.identify(request, reply, undefined);
    if (isLfsUpload(request)) {
      nameFile(request);
      return payload;
    }
    request.raw.headers['content-type'] = lfsContentType;
    this.account(request, reply)(Math.min(lengthOf(request) || mostLfsBody, mostLfsBody));
    return payload;
  }

  /** GraphQL requests are small. */
  private async admitQuestion(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
  ): Promise<RequestPayload> {
    if (saysMultipart(request)) throw commonErrors.unsupportedMediaType();
    await this.callers.identify(request, reply, undefined);
    return this.accountText(request, reply, payload, questionBytes);
  }

  /** A form of a page: services check who sends it. */
  private async admitForm(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
  ): Promise<RequestPayload> {
    await this.callers.identify(request, reply, undefined);
    const { MAX_BODY } = this.settings;
    if (!saysMultipart(request)) return this.accountText(request, reply, payload, MAX_BODY * escapeFactor);
    const length = lengthOf(request);
    if (length > MAX_BODY) throw commonErrors.tooLarge();
    this.account(request, reply)(length || MAX_BODY);
    // Read part by part, see FormBodies.
    return payload;
  }

  /** Takes a text from the budget, before it is read if its length is known. */
  private accountText(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
    mostBytes: number,
  ): RequestPayload {
    const length = lengthOf(request);
    if (length > mostBytes) throw commonErrors.tooLarge();
    this.account(request, reply)(length || mostBytes);
    if (length > 0) return payload;
    return payload.pipe(
      watched((_bytes, seen) => {
        if (seen > mostBytes) throw commonErrors.tooLarge();
      }),
    );
  }

  /** Takes bytes from the budget of all bodies until the request is answered. */
  private account(request: FastifyRequest, reply: FastifyReply): (bytes: number) => void {
    const who = shareOfClient(request.caller, request.ip);
    let taken = 0;
    reply.raw.once('close', () => this.budget.giveBack(who, taken));
    return (bytes) => {
      // The client has left, perhaps during the check of its credential, and will not release anything.
      if (reply.raw.closed) return;
      this.budget.take(who, bytes);
      taken += bytes;
    };
  }
}

const isLfs = ({ url, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.operation === undefined && isLfsRequest(url);

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const saysMultipart = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/') ?? false;

/** Whether the whole body is a file, whatever its type is. */
function isFile(request: FastifyRequest): boolean {
  const { operation } = request.routeOptions.config;
  return operation !== undefined && !saysMultipart(request) && bodyFileOf(operation) !== undefined;
}

/** Replaces the content type, so that no parser reads the body. */
function nameFile({ raw }: FastifyRequest): void {
  raw.headers['content-type'] = fileContentType;
}

/** Outside of the API, only routes of git have a body. */
function requireGit({ method, url }: FastifyRequest, payload: RequestPayload): RequestPayload {
  if (!addressWithSuffix(method, url) && !parseGitRequest(method, url)) throw commonErrors.noRoute();
  return payload;
}

const lengthOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? 0);

/** A single stream, because an error does not pass from a pipe's source to its end. */
function watched(check: (bytes: number, seen: number) => void): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      try {
        check(chunk.length, seen);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
