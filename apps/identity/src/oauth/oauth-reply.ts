import { Reply } from '@moothall/contracts';

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** An answer of an OAuth endpoint. Source: RFC 6749 5.1. */
export const oauthReply = (body: object, status = 200, headers: Record<string, string> = {}): Reply<string> =>
  new Reply(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...uncached, ...headers },
  });

/** Public texts by error, as v4 clients know them. Source: clarifications B.26. */
const descriptions: Record<string, { status: number; text: string }> = {
  invalid_client: {
    status: 401,
    text: 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
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
  unauthorized_client: { status: 403, text: 'You are not authorized to revoke this token' },
  invalid_request: {
    status: 400,
    text: 'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  },
  invalid_token: { status: 401, text: 'The access token is invalid' },
};

/** @param text replaces the usual description */
export function oauthError(error: string, text?: string): Reply<string> {
  const { status, text: usual } = descriptions[error] ?? descriptions.invalid_request!;
  const challenge = status === 401 ? { 'www-authenticate': `Bearer realm="Moothall", error="${error}"` } : undefined;
  return oauthReply({ error, error_description: text ?? usual }, status, challenge);
}
