import type { onRequestHookHandler } from 'fastify';

/*
 * CORS rules of v4 servers: pages of other origins may call the whole API and the endpoints for signing in without a
 * server; never with cookies.
 */

const wholeInterface = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const methodsByPath: Record<string, string> = {
  '/oauth/token': 'POST, OPTIONS',
  '/oauth/revoke': 'POST, OPTIONS',
  '/oauth/userinfo': 'GET, HEAD, POST, OPTIONS',
  '/oauth/discovery/keys': 'GET, HEAD',
  '/.well-known/openid-configuration': 'GET, HEAD',
  '/.well-known/oauth-authorization-server': 'GET, HEAD',
};

/** Response headers that scripts may read. */
const exposed = [
  ...['ETag', 'Link', 'Links', 'Retry-After', 'Content-Disposition', 'WWW-Authenticate'],
  ...['RateLimit-Limit', 'RateLimit-Observed', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-ResetTime'],
  ...['X-Total', 'X-Total-Pages', 'X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'X-Request-Id', 'X-Runtime'],
  ...['Blob-Id', 'Commit-Id', 'Content-Sha256', 'Encoding', 'Execute-Filemode', 'File-Name', 'File-Path'].map(
    (name) => `X-Gitlab-${name}`,
  ),
  ...['Last-Commit-Id', 'Ref', 'Size'].map((name) => `X-Gitlab-${name}`),
].join(', ');

function methodsOf(url: string): string | undefined {
  const [path = ''] = url.split('?', 1);
  if (path.startsWith('/api/')) return wholeInterface;
  return Object.hasOwn(methodsByPath, path) ? methodsByPath[path] : undefined;
}

/** Allows other origins, and answers preflight requests, which have no credentials and come before everything else. */
export const openToOtherOrigins: onRequestHookHandler = (request, reply, done) => {
  const { origin, 'access-control-request-method': method } = request.headers;
  const methods = origin === undefined ? undefined : methodsOf(request.url);
  if (methods === undefined) {
    done();
    return;
  }
  reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed });
  if (request.method !== 'OPTIONS' || method === undefined) {
    done();
    return;
  }
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) reply.header('access-control-allow-headers', asked);
  reply.headers({ 'access-control-allow-methods': methods, 'access-control-max-age': '7200' });
  reply.code(200).header('content-length', '0').send();
};
