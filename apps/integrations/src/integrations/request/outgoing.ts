/** A request of an integration. */
export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Settings of an integration, with decrypted secrets. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

export const setting = (settings: Settings, name: string): string => String(settings[name] ?? '');

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const putJson = (url: string, body: unknown, headers: Record<string, string> = {}): OutgoingRequest => ({
  ...postJson(url, body, headers),
  method: 'PUT',
});

export const postForm = (url: string, fields: Record<string, string>): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** @returns no header without a name */
export const basicAuth = (username: string, password: string): Record<string, string> =>
  username === '' ? {} : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };

/** A URL below another one. The query stays, path segments are encoded. */
export function below(base: string, segments: readonly string[], query: Record<string, string> = {}): string {
  const url = new URL(base);
  const path = segments.map(encodeURIComponent).join('/');
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
