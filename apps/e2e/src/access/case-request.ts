import { randomBytes } from 'node:crypto';
import type { AccessCase } from './matrix';
import type { Records } from './world';

export const fillIn = (text: string, records: Records): string =>
  text.replace(/:(\w+)/g, (whole, name: string) =>
    name === 'new' ? `n${randomBytes(5).toString('hex')}` : (records[name] ?? whole),
  );

/** The path of a request; its names of records get their values. */
export function pathOf({ ask, isAtRoot }: AccessCase, records: Records): string {
  const [, path = ''] = ask.split(' ');
  return `${isAtRoot ? '' : '/api/v4'}${fillIn(path, records)}`;
}

/** JSON, or a form if there is a file. */
export function bodyOf({ body, file }: AccessCase, records: Records): RequestInit {
  if (!body) return {};
  const text = fillIn(JSON.stringify(body), records);
  if (!file) return { headers: { 'content-type': 'application/json' }, body: text };
  const form = new FormData();
  for (const [name, value] of Object.entries(JSON.parse(text))) form.set(name, String(value));
  form.set('file', new Blob(['x']), file);
  return { body: form };
}
