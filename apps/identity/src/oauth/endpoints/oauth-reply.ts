import { Reply } from '@moothall/contracts';

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A response of an OAuth endpoint. Source: RFC 6749 5.1. */
export const oauthReply = (body: object, status = 200, headers: Record<string, string> = {}): Reply<string> =>
  new Reply(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...uncached, ...headers },
  });

interface Refusal {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

/** Public texts by error, in the wording of v4. See docs/api/oauth.md#3. */
const refusals = {
  invalid_client: {
    status: 401,
    text: 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
    // Clients that use a header authenticate by Basic. Source: RFC 6749 5.2.
    headers: { 'www-authenticate': 'Basic realm="Moothall"' },
  },
  invalid_grant: {
    status: 400,
    text: 'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  },
  unsupported_grant_type: {
    status: 400,
    text: 'The authorization grant type is not supported by the authorization server.',
  },
  invalid_scope: { status: 400, text: 'The requested scope is invalid, unknown, or malformed.' },
  unauthorized_client: { status: 400, text: 'The client is not authorized to use this grant type.' },
  invalid_request: {
    status: 400,
    text: 'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  },
  invalid_token: {
    status: 401,
    text: 'The access token is invalid',
    headers: { 'www-authenticate': 'Bearer realm="Moothall", error="invalid_token"' },
  },
  temporarily_unavailable: {
    status: 429,
    text: 'Too many attempts. Try again later.',
    headers: { 'retry-after': '600' },
  },
} satisfies Record<string, Refusal>;

/** @param over values that differ from the default */
export function oauthError(error: string, over: Partial<Refusal> = {}): Reply<string> {
  const known: Record<string, Refusal> = refusals;
  const { status, text, headers } = { ...(known[error] ?? refusals.invalid_request), ...over };
  return oauthReply({ error, error_description: text }, status, headers);
}
