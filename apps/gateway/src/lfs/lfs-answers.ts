import { errorTable, lfsErrors, OperationError, wordsOf } from '@moothall/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { explainRefusal } from '../git-access/explain-refusal';

/** Content type of git-lfs, in both directions. */
export const lfsContentType = 'application/vnd.git-lfs+json';
/** A thousand objects, each with some text. */
export const mostLfsBody = 1024 * 1024;

export function sendLfs(reply: FastifyReply, body: object, status = 200): void {
  reply
    .code(status)
    .header('content-type', lfsContentType)
    .send(Buffer.from(JSON.stringify(body)));
}

const known = new Set<string>(Object.values(lfsErrors).map(({ code }) => code));

/** Messages of errors that only Git LFS has. */
export function lfsRefusal(error: unknown): string | undefined {
  if (!(error instanceof OperationError) || !known.has(error.code)) return undefined;
  return wordsOf(error);
}

/**
 * In the form that git-lfs shows to its user.
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md
 */
export function refuseLfs(error: OperationError, request: FastifyRequest, reply: FastifyReply): void {
  const status = errorTable.get(error.code)?.status ?? 500;
  // The rest of the request would be read as the next one on the connection.
  if (!request.raw.complete) reply.header('connection', 'close');
  if (error.value.retryAfterSeconds !== undefined) reply.header('retry-after', error.value.retryAfterSeconds);
  sendLfs(reply, { message: lfsRefusal(error) ?? explainRefusal(error), request_id: request.id }, status);
}

/** git-lfs asks for a password only after 401. */
export function askToSignIn(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.raw.complete) reply.header('connection', 'close');
  const challenge = 'Basic realm="Moothall"';
  reply.header('www-authenticate', challenge).header('lfs-authenticate', challenge);
  sendLfs(reply, { message: 'Sign in to continue', request_id: request.id }, 401);
}
