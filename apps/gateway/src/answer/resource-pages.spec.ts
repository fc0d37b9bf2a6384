import type { FastifyRequest } from 'fastify';
import { wantsFile } from './resource-pages';

const isFile = (url: string, method = 'GET') => wantsFile({ method, url } as FastifyRequest);
const attachment = `uploads/${'0a'.repeat(16)}/a.png`;

it.each([
  ...['/g/p/-/raw/main/a', '/g/p/-/raw/main/a?x', '/g/p/-/jobs/1/raw', '/g/p/-/jobs/1/raw?x'],
  ...['/g/p/-/snippets/1/raw', '/g/p/-/snippets/1/raw/main/a', '/-/snippets/1/raw', '/-/snippets/1/raw?x'],
  `/g/p/-/wikis/${attachment}`,
])('%s is the address of a file', (url) => {
  expect([isFile(url), isFile(url, 'HEAD'), isFile(url, 'POST')]).toEqual([true, true, false]);
});

it.each([
  ...['/g/p', '/g/p/raw/main/a', '/g/p/-/raw', '/g/p/-/blob/main/-/raw/main/a', '/g/p?/-/raw/main/a'],
  ...['/g/p/-/jobs/1/rawer', '/g/p/-/jobs/x/raw', '/g/p/-/snippets/1', '/g/p/-/snippets/1/rawer'],
  ...['/g/p/-/wikis/uploads', '/g/p/-/wikis/uploads/a/b', `/g/p/-/blob/main/${attachment}`],
])('%s is not', (url) => {
  expect(isFile(url)).toBe(false);
});
