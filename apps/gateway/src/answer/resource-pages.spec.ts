import type { FastifyRequest } from 'fastify';
import { wantsFile } from './resource-pages';

const isFile = (url: string, method = 'GET') => wantsFile({ method, url } as FastifyRequest);
const attachment = `uploads/${'0a'.repeat(16)}/a.png`;

it.each([
  ...['/g/p/-/raw/main/a', '/g/p/-/raw/main/a?x', '/g/p/-/jobs/1/raw', '/g/p/-/jobs/1/raw?x'],
  ...['/g/p/-/snippets/1/raw', '/g/p/-/snippets/1/raw/main/a', '/-/snippets/1/raw', '/-/snippets/1/raw?x'],
  ...[`/g/p/-/wikis/${attachment}`, '/g/p/-/archive/a/b/c.zip', '/g/p/-/commit/abc.patch', '/g/p/-/commit/abc.diff?x'],
  ...['/g/p/-/merge_requests/1.diff', '/g/p/-/packages/1/files/a/b', '/g/p/-/jobs/1/artifacts/download'],
  ...['/g/p/-/releases/v1/evidences/1.json', '/g/p/-/releases/v1%2Fa/evidences/10.json?x'],
  ...['/g/p/-/jobs/1/artifacts/raw/a', '/g/p/-/jobs/1/artifacts/file/a/b'],
])('%s is the address of a file', (url) => {
  expect([isFile(url), isFile(url, 'HEAD'), isFile(url, 'POST')]).toEqual([true, true, false]);
});

it.each([
  ...['/g/p', '/g/p/raw/main/a', '/g/p/-/raw', '/g/p/-/blob/main/-/raw/main/a', '/g/p?/-/raw/main/a'],
  ...['/g/p/-/jobs/1/rawer', '/g/p/-/jobs/x/raw', '/g/p/-/snippets/1', '/g/p/-/snippets/1/rawer'],
  ...['/g/p/-/commit/abc', '/g/p/-/commit/a/b.patch', '/g/p/-/merge_requests/1', '/g/p/-/merge_requests/x.diff'],
  ...['/g/p/-/packages/1', '/g/p/-/jobs/1/artifacts', '/g/p/-/jobs/1/artifacts/browse/raw/'],
  ...['/g/p/-/releases/v1', '/g/p/-/releases/v1/evidences/x.json', '/g/p/-/releases?/v1/evidences/1.json'],
  ...['/g/p/-/wikis/uploads', '/g/p/-/wikis/uploads/a/b', `/g/p/-/blob/main/${attachment}`],
])('%s is not', (url) => {
  expect(isFile(url)).toBe(false);
});
