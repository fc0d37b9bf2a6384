import { uploadGenericPackage } from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { ownTemporaryFiles } from '@moothall/infrastructure';
import { callerNamed, eventually, projectNamed, ticketKey } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';
import { rawClient } from './raw-client';

/* Bodies that are files, whatever their content type is, up to the sender's limit. */

let gateway: GatewayUnderTest;
let taken: string[] = [];
const path = (id: number) => `/projects/${id}/packages/generic/app/1.0/dir/a.json`;
const limitBytes = 1000;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ MAX_UPLOAD: `${limitBytes}` });
  gateway.knowCaller('ann', callerNamed('ann'));
  gateway.knowProject(projectNamed('own', { id: 1, accessLevel: 30 }));
  gateway.knowProject(projectNamed('read', { id: 2, accessLevel: 20 }));
  gateway.knowProject(projectNamed('hidden', { id: 3, accessLevel: 0 }));
  gateway.stubs.respond(uploadGenericPackage, ({ file, file_name, status }) => {
    const { filename } = new UploadedFiles(ticketKey).open(file, {
      bytes: limitBytes,
      tooLarge: () => new Error() as never,
    });
    taken.push(`${filename} ${file_name} ${status ?? 'as it was'}`);
    return { message: '201 Created' as const };
  });
  await gateway.stubs.received();
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  taken = [];
});

const put = (id: number, body: RequestInit['body'], headers: Record<string, string> = {}, query = '', token = 'ann') =>
  gateway.fetch(`/api/v4${path(id)}${query}`, { method: 'PUT', token, body: body as string, headers });

it.each([
  ['without a type', new Blob(['bytes']), {}],
  ['as JSON that is none', '{"file": ', { 'content-type': 'application/json' }],
  ['as a form', 'file=x&status=y', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['as a pack', 'x', { 'content-type': 'application/x-git-upload-pack-request' }],
  ['of a type that nobody knows', 'x', { 'content-type': 'image/unknown' }],
  ['empty', '', {}],
  ['empty, of a type', '', { 'content-type': 'application/octet-stream' }],
  ['empty, as JSON', '', { 'content-type': 'application/json' }],
] as [string, string | Blob, Record<string, string>][])('is accepted %s', async (_what, body, headers) => {
  const response = await put(1, body, headers, '?status=hidden');
  expect([response.status, await response.json()]).toEqual([201, { message: '201 Created' }]);
  expect(taken).toEqual(['file dir/a.json hidden']);
});

it('may also be the file of a multipart body', async () => {
  const form = new FormData();
  form.set('file', new File(['bytes'], 'b.txt'));
  expect((await put(1, form)).status).toBe(201);
  expect(taken).toEqual(['b.txt dir/a.json as it was']);
});

it.each([
  ['who is nobody', 1, 401, ''],
  ['who may only read', 2, 403, 'ann'],
  ['who sees no such project', 3, 404, 'ann'],
])('is refused unread to %s', async (_what, id, status, token) => {
  const client = await rawClient(gateway, [
    `PUT /api/v4${path(id)} HTTP/1.1`,
    'host: a',
    'content-length: 900',
    ...(token && [`private-token: ${token}`]),
  ]);
  expect(await client.ended).toContain(`HTTP/1.1 ${status} `);
  expect(taken).toEqual([]);
});

it('is refused by its content-length if that is too large, or while it is read', async () => {
  const head = [`PUT /api/v4${path(1)} HTTP/1.1`, 'host: a', 'private-token: ann'];
  const answer = await rawClient(gateway, [...head, `content-length: ${limitBytes + 1}`]);
  expect(await answer.ended).toContain('HTTP/1.1 413 ');
  const untold = await rawClient(gateway, [...head, 'transfer-encoding: chunked']);
  for (let sent = 0; sent <= limitBytes; sent += 256) untold.socket.write(`100\r\n${'x'.repeat(256)}\r\n`);
  expect(await untold.ended).toContain('HTTP/1.1 413 ');
  expect(taken).toEqual([]);
});

it('is refused if the query contains the field of the file', async () => {
  expect((await put(1, 'x', {}, '?file=x')).status).toBe(400);
  expect(taken).toEqual([]);
});

it('leaves nothing if it is interrupted', async () => {
  const kept = async () => (await ownTemporaryFiles('uploads')).length;
  await eventually(async () => (await kept()) === 0, 'the end of files before');
  const head = [`PUT /api/v4${path(1)} HTTP/1.1`, 'host: a', 'private-token: ann', 'content-length: 900'];
  const client = await rawClient(gateway, head);
  client.socket.write('x'.repeat(100));
  await eventually(async () => (await kept()) === 1, 'the beginning of the file');
  client.socket.destroy();
  await eventually(async () => (await kept()) === 0, 'its end');
  expect(taken).toEqual([]);
});
