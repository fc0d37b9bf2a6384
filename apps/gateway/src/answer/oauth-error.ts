import { operations } from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer } from './error-body';

const paths = new Set(
  operations.filter(({ protocol }) => protocol === 'oauth').flatMap(({ routes }) => routes.map(({ path }) => path)),
);

/** Whether the client expects errors in the form of RFC 6749, also for a method without a route. */
export const speaksOauth = ({ routeOptions, url }: FastifyRequest): boolean =>
  paths.has(routeOptions?.url ?? '') || paths.has(url.replace(/\?.*/s, ''));

/** Source: RFC 6749 4.1.2.1 and 5.2. */
function codeOf(status: number): string {
  if (status === 429 || status === 503 || status === 504) return 'temporarily_unavailable';
  if (status === 401) return 'invalid_client';
  return status < 500 ? 'invalid_request' : 'server_error';
}

/** The same refusal for OAuth clients. */
export function asOauthError({ status, body }: ErrorAnswer): ErrorAnswer {
  const text = [body.error_description, body.error, body.message].find((part) => typeof part === 'string');
  return { status, body: { error: codeOf(status), ...(text !== undefined && { error_description: text }) } };
}
