import { createHash } from 'node:crypto';
import { type InputOf, identifyBrowser, showPage, takeForm } from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { ownTemporaryFiles } from '@moothall/infrastructure';
import { callerNamed, eventually, ticketKey } from '@moothall/testing';
import { chunk, filePart } from './bodies-under-test';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';
import { rawClient } from './raw-client';

/* Forms of pages with files. */

const path = '/-/user_settings/profile?a=b';
const [own, csrf] = ['own-cookie', 'csrf-of-ada'];
const files = new UploadedFiles(ticketKey);
const unlimited = { bytes: Number.POSITIVE_INFINITY, tooLarge: () => new Error('too large') as never };

let gateway: GatewayUnderTest;
let taken: InputOf<typeof takeForm>[];

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.stubs.respond(identifyBrowser, ({ csrf: given }, { client }) => ({
    ...{ headers: {}, csrf, is_own_form: given === csrf, is_password_due: client?.cookie === 'due-cookie' },
    caller: client?.cookie === 'none' ? null : callerNamed('ada'),
  }));
  gateway.stubs.respond(showPage, ({ path: shown, refused, limit_bytes }) => `${refused} at ${shown}: ${limit_bytes}`);
  gateway.stubs.respond(takeForm, (input) => {
    taken.push(input);
    return 'taken';
  });
});
beforeEach(() => {
  taken = [];
});
afterAll(() => gateway?.stop());

type Pairs = readonly (readonly [string, string | File])[];
async function send(pairs: Pairs, { cookie = own, accept = 'text/html' } = {}) {
  const body = new FormData();
  for (const [name, value] of pairs) body.append(name, value);
  const response = await gateway.fetch(path, { method: 'POST', headers: { accept, cookie }, body });
  return { status: response.status, text: await response.text() };
}

const noFilesRemain = () => eventually(async () => (await ownTemporaryFiles('uploads')).length === 0);

const picture = new File(['a picture'], 'me.png', { type: 'image/png' });
const nothing = new File([], '');
const sha256 = createHash('sha256').update('a picture').digest('hex');

it('are passed on with the chosen files, which are deleted afterwards', async () => {
  const pairs: Pairs = [
    ['csrf', csrf],
    ['given[a]', 'b'],
    ['labels[]', 'c'],
    ['avatar', picture],
    ['logo', nothing],
  ];
  expect(await send([...pairs, ['title', 'After\r\nit']])).toEqual({ status: 200, text: 'taken' });
  const fields = { csrf, given: { a: 'b' }, labels: ['c'], title: 'After\r\nit' };
  const avatar = { ticket: expect.any(String), sha256 };
  expect(taken).toEqual([{ path, fields, files: { avatar } }]);
  const file = files.open(taken[0]!.files!.avatar!, unlimited);
  expect([file.filename, file.contentType]).toEqual(['me.png', 'image/png']);
  await noFilesRemain();
});

it('leave nothing if their browser disconnects', async () => {
  const client = await rawClient(gateway, [
    ...[`POST ${path} HTTP/1.1`, 'host: a', 'accept: text/html', `cookie: ${own}`],
    ...['content-type: multipart/form-data; boundary=B', 'transfer-encoding: chunked'],
  ]);
  client.socket.write(chunk(`--B\r\ncontent-disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n`));
  client.socket.write(chunk(filePart('avatar') + 'x'.repeat(100_000)));
  await eventually(async () => (await ownTemporaryFiles('uploads')).length === 1);
  client.socket.destroy();
  await noFilesRemain();
  expect(taken).toEqual([]);
});

it('have no file that a text pretends to be', async () => {
  await send([
    ['csrf', csrf],
    ['avatar[ticket]', 'a'],
    ['files[avatar][ticket]', 'a'],
    ['logo', 'x'],
  ]);
  expect(taken.map((one) => one.files)).toEqual([{}]);
});

it.each([
  [
    'no page has shown them',
    [
      ['csrf', 'of another'],
      ['avatar', picture],
      ['title', 'x'],
    ],
    own,
  ],
  [
    'their token follows the file',
    [
      ['avatar', picture],
      ['csrf', csrf],
      ['title', 'x'],
    ],
    own,
  ],
  [
    'they have two tokens',
    [
      ['csrf', 'of another'],
      ['csrf', csrf],
      ['avatar', picture],
      ['title', 'x'],
    ],
    own,
  ],
  [
    'nobody is signed in',
    [
      ['csrf', csrf],
      ['avatar', picture],
      ['title', 'x'],
    ],
    'none',
  ],
  [
    'a new password is due',
    [
      ['csrf', csrf],
      ['avatar', picture],
      ['title', 'x'],
    ],
    'due-cookie',
  ],
] as const)('are passed on without files if %s', async (_case, pairs, cookie) => {
  expect((await send(pairs, { cookie })).status).toBe(200);
  expect(taken).toMatchObject([{ fields: { title: 'x' }, files: {} }]);
  expect(await ownTemporaryFiles('uploads')).toEqual([]);
});

it('have one file in a field, and few in all', async () => {
  const twice: Pairs = [
    ['csrf', csrf],
    ['avatar', picture],
    ['avatar', picture],
  ];
  expect((await send(twice)).status).toBe(400);
  const many = Array.from({ length: 11 }, (_, index) => [`file_${index}`, picture] as const);
  expect((await send([['csrf', csrf], ...many])).text).toBe(`413 at ${path}: ${7 << 20}`);
  expect(taken).toEqual([]);
});

it.each([
  [
    'a file',
    [
      ['csrf', csrf],
      ['avatar', new File([Buffer.alloc(8 << 20)], 'large.png')],
    ],
  ],
  ['a file that is not stored', [['avatar', new File([Buffer.alloc(8 << 20)], 'large.png')]]],
  [
    'a text',
    [
      ['csrf', csrf],
      ['title', 'x'.repeat(8 << 20)],
    ],
  ],
  [
    'all together',
    [['csrf', csrf], ...['a', 'b', 'c'].map((name) => [name, new File([Buffer.alloc(3 << 20)], 'x')] as const)],
  ],
] as const)('lead to a page if %s is too large', async (_case, pairs) => {
  expect(await send(pairs)).toEqual({ status: 200, text: `413 at ${path}: ${7 << 20}` });
  expect(taken).toEqual([]);
  await noFilesRemain();
});

it('of programs are no forms', async () => {
  expect(
    (
      await send(
        [
          ['csrf', csrf],
          ['avatar', picture],
        ],
        { accept: '*/*' },
      )
    ).status,
  ).toBe(404);
  expect(taken).toEqual([]);
});
