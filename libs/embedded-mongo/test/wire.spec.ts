import { deflateSync, inflateSync } from 'node:zlib';
import { serialize } from 'bson';
import { compress, uncompress } from 'snappyjs';
import { crc32c } from '../src/protocol/crc32c';
import { TestServer } from './test-server';
import { documentOf, message, opMsgBody, sequence, WireClient } from './wire-client';

let server: TestServer;
let client: WireClient;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  client = await WireClient.connect(server.uri);
});
afterEach(() => client.close());

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 1 << 16;

function withChecksum(command: object): Buffer {
  const body = Buffer.concat([opMsgBody(command, CHECKSUM_PRESENT), Buffer.alloc(4)]);
  const whole = message(2013, body);
  whole.writeUInt32LE(crc32c(whole.subarray(0, -4)), whole.length - 4);
  return whole;
}

function legacyQuery(namespace: string, query: object): Buffer {
  const name = Buffer.from(`${namespace}\0`);
  return message(2004, Buffer.concat([Buffer.alloc(4), name, Buffer.alloc(8), serialize(query)]));
}

const SNAPPY = 1;
const ZLIB = 2;
const compressors = {
  snappy: { id: SNAPPY, pack: (bytes: Buffer) => compress(bytes), unpack: (bytes: Buffer) => uncompress(bytes) },
  zlib: { id: ZLIB, pack: (bytes: Buffer) => deflateSync(bytes), unpack: (bytes: Buffer) => inflateSync(bytes) },
};

function compressed(command: object, { id, pack }: (typeof compressors)['snappy']): Buffer {
  const inner = opMsgBody(command);
  const head = Buffer.alloc(9);
  head.writeInt32LE(2013, 0);
  head.writeInt32LE(inner.length, 4);
  head[8] = id;
  return message(2012, Buffer.concat([head, pack(inner)]));
}

test('the legacy hello is answered in its own format and offers OP_MSG', async () => {
  client.send(legacyQuery('admin.$cmd', { ismaster: 1, helloOk: true, client: {} }));
  const reply = await client.receive();
  expect(reply!.opCode).toBe(1);
  expect(documentOf(reply!)).toMatchObject({ helloOk: true, ismaster: true, ok: 1, maxWireVersion: 21 });
  expect(documentOf(reply!)).not.toHaveProperty('setName');
});

test('replies name the request they answer', async () => {
  client.send(message(2013, opMsgBody({ ping: 1, $db: 'admin' }), 4711));
  expect((await client.receive())!.responseTo).toBe(4711);
});

test('several messages in one chunk are answered in order, and one in many chunks is put together', async () => {
  const ping = (id: number): Buffer => message(2013, opMsgBody({ ping: 1, $db: 'admin' }), id);
  client.send(Buffer.concat([ping(1), ping(2), ping(3)]));
  for (const id of [1, 2, 3]) expect((await client.receive())!.responseTo).toBe(id);
  for (const byte of ping(4)) client.send(Buffer.of(byte));
  expect((await client.receive())!.responseTo).toBe(4);
});

test('a right checksum is accepted, a wrong one closes the connection', async () => {
  client.send(withChecksum({ ping: 1, $db: 'admin' }));
  expect(documentOf((await client.receive())!)).toEqual({ ok: 1 });
  const wrong = withChecksum({ ping: 1, $db: 'admin' });
  wrong[wrong.length - 1]! ^= 1;
  client.send(wrong);
  expect(await client.receive()).toBeUndefined();
});

test('documents beside the command are those of its array', async () => {
  const documents = [
    { _id: 1, a: 'one' },
    { _id: 2, a: 'two' },
  ];
  client.send(message(2013, opMsgBody({ insert: 'beside', $db: 'wire' }, 0, sequence('documents', documents))));
  expect(documentOf((await client.receive())!)).toMatchObject({ n: 2, ok: 1 });
  const found = await client.command({ find: 'beside', filter: {}, $db: 'wire' });
  expect(found.cursor.firstBatch).toEqual(documents);
});

test('a request with moreToCome is carried out and not answered', async () => {
  client.send(
    message(
      2013,
      opMsgBody({ insert: 'silent', documents: [{ _id: 1 }], writeConcern: { w: 0 }, $db: 'wire' }, MORE_TO_COME),
      1,
    ),
  );
  client.send(message(2013, opMsgBody({ count: 'silent', $db: 'wire' }), 2));
  const reply = await client.receive();
  expect(reply!.responseTo).toBe(2);
  expect(documentOf(reply!)).toMatchObject({ n: 1 });
});

test.each(['snappy', 'zlib'] as const)('a request packed with %s has a reply packed alike', async (name) => {
  const hello = await client.command({ hello: 1, compression: ['zstd', name], $db: 'admin' });
  expect(hello.compression).toEqual([name]);
  client.send(compressed({ ping: 1, $db: 'admin' }, compressors[name]));
  const reply = await client.receive();
  expect(reply!.opCode).toBe(2012);
  const inner = compressors[name].unpack(reply!.body.subarray(9));
  expect(inner.length).toBe(reply!.body.readInt32LE(4));
  expect(documentOf({ ...reply!, opCode: reply!.body.readInt32LE(0), body: inner })).toEqual({ ok: 1 });
});

test('an exhaust hello is answered repeatedly', async () => {
  const hello = { hello: 1, topologyVersion: { processId: 'x', counter: 0 }, maxAwaitTimeMS: 5, $db: 'admin' };
  client.send(message(2013, opMsgBody(hello, EXHAUST_ALLOWED)));
  for (let received = 0; received < 3; received++) {
    const reply = await client.receive();
    expect(reply!.body.readUInt32LE(0) & MORE_TO_COME).toBe(MORE_TO_COME);
    expect(documentOf(reply!)).toMatchObject({
      isWritablePrimary: true,
      topologyVersion: { counter: expect.anything() },
    });
  }
});

test('transactions are refused before anything is written', async () => {
  const insert = { insert: 'never', documents: [{ _id: 1 }], $db: 'wire', lsid: { id: 1 } };
  for (const field of [{ txnNumber: 1 }, { startTransaction: true }, { autocommit: false }]) {
    expect(await client.command({ ...insert, ...field })).toMatchObject({ ok: 0, code: 20 });
  }
  expect(await client.command({ count: 'never', $db: 'wire' })).toMatchObject({ n: 0 });
});

test('unknown commands and arguments are refused by name', async () => {
  expect(await client.command({ frobnicate: 1, $db: 'admin' })).toMatchObject({
    ok: 0,
    code: 59,
    codeName: 'CommandNotFound',
  });
  expect(await client.command({ find: 'x', filter: {}, frobnicate: 1, $db: 'wire' })).toMatchObject({
    ok: 0,
    code: 40415,
  });
  const updates = [{ q: {}, u: { $set: { a: 1 } }, sort: { a: 1 } }];
  expect(await client.command({ update: 'x', updates, $db: 'wire' })).toMatchObject({ ok: 0, code: 40415 });
});
