import { randomBytes } from 'node:crypto';
import { Gitlab } from '@gitbeaker/rest';

interface Connection {
  url: string;
  token: string;
  username: string;
  password: string;
  metrics_url: string;
  nats_url: string;
  /** Null if docker-registry is not installed. */
  registry_url: string | null;
  /** Folders of its data, such as `mail`. */
  places: Record<string, string>;
}

/** URLs and sign-in of the running server, from its connection.json. */
export const connection = JSON.parse(process.env.MOOTHALL_CONNECTION ?? '{}') as Connection;

/** A third-party v4 client. */
export const clientFor = (token: string, host = connection.url) => new Gitlab({ host, token });

/** The same as the administrator. */
export const root = clientFor(connection.token);

/** A unique name. */
export const uniqueName = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

/** A new user with a token and a client. */
export async function newUser(prefix = 'user') {
  const username = uniqueName(prefix);
  const password = `secret-${username}`;
  const user = await root.Users.create({
    email: `${username}@example.com`,
    name: `The ${username}`,
    username,
    password,
    skipConfirmation: true,
  });
  const { token } = await root.UserImpersonationTokens.create(user.id, 'e2e', ['api', 'write_repository'], {
    expiresAt: '2099-01-01',
  });
  return { id: user.id, username, password, token: String(token), client: clientFor(String(token)) };
}

/** A raw request, for status, headers and bytes that clients hide. */
export function ask(path: string, init: RequestInit & { token?: string | undefined } = {}): Promise<Response> {
  const headers = { ...(init.token && { 'private-token': init.token }), ...(init.headers as Record<string, string>) };
  return fetch(`${connection.url}${path}`, { ...init, headers });
}

/** Sends a request with the token. @returns status and body */
export async function askJson(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await ask(`/api/v4${path}`, { method, token, ...init });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}
