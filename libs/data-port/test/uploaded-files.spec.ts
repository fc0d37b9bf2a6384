import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commonErrors, type FileLimit, isError } from '@moothall/contracts';
import { DataPort, type UploadClaims, UploadedFiles, uploadHandler } from '../src';
import { mint } from '../src/signed-token';

const key = 'the key of the gateway';
const text = 'twelve bytes';
const port = new DataPort({ host: '127.0.0.1', port: 0, signingKey: key }, () => undefined);
const files = new UploadedFiles(key);
const limit: FileLimit<number> = { bytes: 100, tooLarge: () => commonErrors.tooLarge() };
const truth = { id: 'x', filename: 'ü.txt', contentType: 'text/plain', sizeBytes: text.length };
let served = 0;

beforeAll(async () => {
  port.serve<UploadClaims>(uploadHandler, async (_claims, _request, response) => {
    served += 1;
    response.end(text);
  });
  await port.listen();
});
afterAll(() => port.close());

const fileOf = (over: Partial<UploadClaims> = {}) => port.uploadedFile({ ...truth, ...over });
const inAMinute = () => Date.now() + 60_000;
const expired = () => {
  const [name, args] = fileOf().ticket.split('/');
  return mint(key, { name: name!, args: JSON.parse(Buffer.from(args!, 'base64url').toString()) }, Date.now() - 1);
};

it('returns the bytes of a file with its name and type', async () => {
  const upload = files.open(fileOf(), limit);
  expect([upload.filename, upload.contentType]).toEqual(['ü.txt', 'text/plain']);
  expect((await upload.bytes()).toString()).toBe(text);
});

describe('on the machine of its gateway', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-handed-'));
    writeFileSync(path.join(folder, 'kept'), text);
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const linkTo = async (claims: Partial<UploadClaims>) => {
    const other = path.join(folder, 'other');
    const isLinked = await files.open(fileOf(claims), limit).linkTo(other);
    return [isLinked, existsSync(other)];
  };

  it('is renamed', async () => expect(await linkTo({ path: path.join(folder, 'kept') })).toEqual([true, true]));
  it.each<[string, () => Partial<UploadClaims>]>([
    ['is not there', () => ({ path: path.join(folder, 'gone') })],
    ['is not what was announced', () => ({ path: path.join(folder, 'kept'), sizeBytes: 13 })],
    ['is a folder', () => ({ path: folder })],
  ])('is read if it %s', async (_name, claims) => expect(await linkTo(claims())).toEqual([false, false]));
});

// A URL that a client sends instead of a file is not fetched, wherever it is accepted.
it.each<[string, () => string]>([
  ['an address', () => 'http://127.0.0.1:1/secret.txt'],
  ['an empty text', () => ''],
  [
    'a ticket under another key',
    () => mint('other', { name: uploadHandler, args: { ...truth, origin: 'http://a:1' } }, inAMinute()),
  ],
  ['a ticket for something else', () => mint(key, { name: 'archive', args: truth }, inAMinute())],
  ['an altered ticket', () => fileOf().ticket.replace('upload/', 'upload/A')],
  ['an expired ticket', expired],
])('does not open %s', async (_name, make) => {
  const before = served;
  expect(() => files.open({ ticket: make() }, limit)).toThrow(expect.objectContaining({ code: 'common.bad_request' }));
  expect(served).toBe(before);
});

it.each([
  ['fewer bytes than announced', { sizeBytes: 13 }],
  ['more bytes than announced', { sizeBytes: 5 }],
  ['a size below nothing', { sizeBytes: -5 }],
])('refuses %s', async (_name, claims) => {
  const error = await files
    .open(fileOf(claims), limit)
    .bytes()
    .catch((thrown: unknown) => thrown);
  expect(isError(error, commonErrors.badRequest)).toBe(true);
});

it('counts the bytes itself, and refuses a too large length without reading', async () => {
  const small = { ...limit, bytes: 11 };
  const before = served;
  expect(() => files.open(fileOf(), small)).toThrow('common.too_large');
  expect(served).toBe(before);
  await expect(files.open(fileOf({ sizeBytes: 3 }), small).bytes()).rejects.toThrow('common.too_large');
});

it('returns 503 if the gateway has stopped or no longer has the file', async () => {
  const gone = new DataPort({ host: '127.0.0.1', port: 0, signingKey: key }, () => undefined);
  gone.serve(uploadHandler, async (_claims, _request, response) => {
    response.writeHead(404).end();
  });
  await gone.listen();
  const file = gone.uploadedFile(truth);
  await expect(files.open(file, limit).bytes()).rejects.toThrow('common.unavailable');
  await gone.close();
  await expect(files.open(file, limit).bytes()).rejects.toThrow('common.unavailable');
});

it('accepts tokens that were signed before and after a key rotation', async () => {
  const next = 'the next key';
  for (const both of [new UploadedFiles(next, key), new UploadedFiles(key, next)])
    expect((await both.open(fileOf(), limit).bytes()).toString()).toBe(text);
  expect(() => new UploadedFiles(next).open(fileOf(), limit)).toThrow();
});
