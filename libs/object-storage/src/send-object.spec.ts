import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { DiskStorage } from './disk-storage';
import { sendObject } from './send-object';

const content = 'all of it';
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-parts-'));
  const storage = new DiskStorage(folder);
  await storage.write('a/b', Readable.from([content]));
  const shown = { contentType: 'text/plain', filename: 'b', isInline: false };
  server = createServer((request, response) => {
    const [, version] = (request.url ?? '').split('?');
    const key = (request.url ?? '').split('?')[0]!.slice(1);
    void sendObject(storage, { key, ...shown, ...(version && { version }) }, request, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function get(from: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/${from}`, { headers });
  const header = (name: string) => response.headers.get(name);
  return {
    ...{ status: response.status, text: await response.text() },
    ...{
      range: header('content-range'),
      length: header('content-length'),
      etag: header('etag'),
      takes: header('accept-ranges'),
    },
  };
}

it('sends all of an object, and accepts ranges', async () => {
  expect(await get('a/b')).toEqual({
    ...{ status: 200, text: content, range: null, length: '9', etag: null, takes: 'bytes' },
  });
});

it.each([
  ['bytes=7-', 'it', 'bytes 7-8/9'],
  ['bytes=0-2', 'all', 'bytes 0-2/9'],
  ['bytes=-2', 'it', 'bytes 7-8/9'],
])('sends the part %s', async (range, text, header) => {
  expect(await get('a/b?v1', { range })).toMatchObject({
    ...{ status: 206, text, range: header, length: String(text.length), etag: '"v1"' },
  });
});

it('returns the size with 416', async () => {
  expect(await get('a/b', { range: 'bytes=9-' })).toMatchObject({ status: 416, text: '', range: 'bytes */9' });
});

it('continues a download of a client, and of no other file', async () => {
  const range = 'bytes=7-';
  expect(await get('a/b?v1', { range, 'if-range': '"v1"' })).toMatchObject({ status: 206, text: 'it' });
  expect(await get('a/b?v2', { range, 'if-range': '"v1"' })).toMatchObject({
    status: 200,
    text: content,
    etag: '"v2"',
  });
  expect(await get('a/b', { range, 'if-range': '"v1"' })).toMatchObject({ status: 200, text: content });
});

it('returns 404 for a removed object, whole or in part', async () => {
  expect((await get('a/c')).status).toBe(404);
  expect((await get('a/c', { range: 'bytes=1-' })).status).toBe(404);
});
