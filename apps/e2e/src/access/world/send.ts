import { ask, connection } from '../../server/connection';
import { until } from '../../server/until';

export type Shown = { [name: string]: unknown };

/** Names of records in paths, of one project, group or user. */
export type Records = { [name: string]: string };

/** An unknown id. */
export const nobody = '999999999';

/** Names and values of a record for paths. */
export const recordsOf = (shown: Shown): Records =>
  Object.fromEntries(Object.entries({ ...shown, none: nobody }).map(([name, value]) => [name, String(value)]));

/** Sends a request as a user, and fails on errors: incomplete test data would prove nothing. */
export async function send(
  token: string,
  method: string,
  path: string,
  body?: object | FormData,
): Promise<Shown & Shown[]> {
  const isForm = body instanceof FormData;
  const response = await ask(`/api/v4${path}`, {
    ...{ method, token },
    ...(body && (isForm ? { body } : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text || '{}');
}

/** The same as the administrator. */
export const asRoot = (method: string, path: string, body?: object | FormData) =>
  send(connection.token, method, path, body);

/** Creates records of each kind as the administrator below `base`. */
export const makerBelow =
  (base: string) =>
  (path: string, body: object | FormData = {}) =>
    asRoot('POST', `${base}${path}`, body);

/** A multipart body of one small file. */
export function fileNamed(name: string, content: string | Uint8Array<ArrayBuffer> = 'x'): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  return form;
}

/** Waits until every gateway has processed the event: with so many parallel requests each gateway gets some. */
export async function everywhere(what: string, path: string, init: RequestInit, expected: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const one = async () => {
    const body = init.method === 'POST' ? { headers, body: '{"body":"x"}' } : {};
    const response = await ask(`/api/v4${path}`, { ...init, ...body, token: connection.token });
    await response.arrayBuffer();
    return response.status === expected;
  };
  await until(what, async () => (await Promise.all(Array.from({ length: 16 }, one))).every(Boolean), 60_000);
}
