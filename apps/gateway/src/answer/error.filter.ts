import {
  authenticationErrors,
  BytesOutput,
  commonErrors,
  isError,
  OperationError,
  RawOutput,
  wordsOf,
} from '@moothall/contracts';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentCredential } from '../credentials/present-credential';
import { answerOf, type ErrorAnswer } from './error-body';
import { asGraphqlError, speaksGraphql } from './graphql-error';
import { asOauthError, speaksOauth } from './oauth-error';
import { type ResourcePages, sendsForm, wantsPage } from './resource-pages';

/** Default of Retry-After: for limits without a value, and while a service is down. */
const usualWaitSeconds: Record<number, number> = { 429: 60, 503: 5 };

/** Whether a browser gets a page: a route that answers in JSON is for programs, whatever they accept. */
function isOfBrowser(request: FastifyRequest): boolean {
  const { output } = request.routeOptions.config.operation ?? {};
  const isForPrograms = output && !(output instanceof RawOutput || output instanceof BytesOutput);
  if (isForPrograms || speaksOauth(request) || speaksGraphql(request)) return false;
  return wantsPage(request) || sendsForm(request);
}

/** The only place that turns errors into v4 responses, and into pages for browsers. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger(ErrorFilter.name);
  /** Set once the application exists. */
  pages?: ResourcePages;

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest(), http.getResponse());
  }

  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent) return;
    const error = thrown instanceof OperationError ? thrown : this.asOperationError(thrown, request);
    const usual = answerOf(error.value);
    const { status, body } = inFormOf(request, usual);
    const waitSeconds = error.value.retryAfterSeconds ?? usualWaitSeconds[status];
    if (waitSeconds !== undefined) reply.header('retry-after', waitSeconds);
    if (isChallenged(error, status)) reply.header('www-authenticate', challenge(error, request));
    const isText = isError(error, commonErrors.retryLater);
    const plainly = () => (isText ? sendText(reply, status, wordsOf(error)) : sendJson(reply, status, body));
    const refusal = { status, reason: reasonOf(error), waitSeconds };
    if (this.pages && isOfBrowser(request)) this.pages.refuse(request, reply, refusal).catch(plainly);
    else plainly();
  }

  /** Refusals of Fastify and Nest: unknown routes, too large or broken bodies. */
  private asOperationError(thrown: unknown, request: FastifyRequest): OperationError {
    const status =
      thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: number })?.statusCode;
    if (status === 404) return commonErrors.noRoute();
    if (status === 413) return commonErrors.tooLarge();
    if (status === 415) return commonErrors.unsupportedMediaType();
    if (status !== undefined && status >= 400 && status < 500) return commonErrors.badRequest();
    this.log.error(`${request.id} ${request.method} ${request.routeOptions?.url}: ${describe(thrown)}`);
    return commonErrors.internal();
  }
}

/** What an error says besides its status: `403 Forbidden - Why`, or nothing as in `503 Service Unavailable`. */
function reasonOf({ value: { message } }: OperationError): string | undefined {
  return typeof message === 'string' ? message.replace(/^\d{3} [\w ]+(?: - |$)/, '') : undefined;
}

function inFormOf(request: FastifyRequest, usual: ErrorAnswer): ErrorAnswer {
  if (speaksOauth(request)) return asOauthError(usual);
  return speaksGraphql(request) ? asGraphqlError(usual) : usual;
}

/** As bytes: Fastify would add a charset to text. */
function sendJson(reply: FastifyReply, status: number, body: object): void {
  reply
    .code(status)
    .header('content-type', 'application/json')
    .send(Buffer.from(JSON.stringify(body)));
}

function sendText(reply: FastifyReply, status: number, text: string): void {
  reply
    .code(status)
    .header('content-type', 'text/plain')
    .send(Buffer.from(`${text}\n`));
}

const describe = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

const unknownToken = 'Bearer realm="The API", error="invalid_token", error_description="The token is unknown."';

/** Whether another token would help: the response says so to clients. Source: RFC 6750 3. */
const isChallenged = (error: OperationError, status: number): boolean =>
  status === 401 || isError(error, authenticationErrors.insufficientScope);

/** See docs/api/requests.md#1, RFC 6750 3.1; for a missing scope, it names the sufficient ones. */
function challenge(error: OperationError, request: FastifyRequest): string {
  const { body } = answerOf(error.value);
  if (body.error === undefined)
    return presentCredential(request) === 'bearer' ? unknownToken : 'Bearer realm="The API"';
  const scope = body.scope === undefined ? '' : `, scope="${body.scope}"`;
  return `Bearer realm="The API", error="${body.error}", error_description="${body.error_description}"${scope}`;
}
