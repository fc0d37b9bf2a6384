import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/first-endpoint.md'), 'utf8');

/** Each piece of code with the last file name before it. */
const pieces = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ 1: code, index }) => {
  const [file] = [...page.slice(0, index).matchAll(/`((?:apps|libs)\/[^`\s]+\.ts)`/g)].at(-1)!.slice(1);
  return [file!, code!] as const;
});

it('shows the whole change', () => expect(pieces).toHaveLength(5));

it.each(pieces)('the page of the first endpoint contains the text of %s', (file, code) => {
  expect(readFileSync(path.join(root, file), 'utf8').includes(code.trimEnd())).toBe(true);
});

it.each([...page.matchAll(/`((?:apps|libs|docs)\/[\w/.-]+)`/g)].map(([, file]) => file!))('%s exists', (file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
});
