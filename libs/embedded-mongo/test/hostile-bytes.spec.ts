import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { serialize } from 'bson';
import * as fc from 'fast-check';
import { TestServer } from './test-server';
import { message, opMsgBody, sequence, WireClient } from './wire-client';

let server: TestServer;
let bystander: WireClient;

beforeAll(async () => {
  server = await TestServer.start();
  bystander = await WireClient.connect(server.uri);
  await bystander.command({ insert: 'kept', documents: [{ _id: 1, a: 'safe' }], $db: 'hostile' });
});
afterAll(() => {
  bystander.close();
  return server.stop();
});

const ping = opMsgBody({ ping: 1, $db: 'admin' });

function patched(bytes: Buffer, offset: number, int32: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeInt32LE(int32, offset);
  return copy;
}

function squeezed(inner: Buffer, claimed: number, { opCode = 2013, compressor = 2 } = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeInt32LE(opCode, 0);
  head.writeInt32LE(claimed, 4);
  head[8] = compressor;
  return message(2012, Buffer.concat([head, inner]));
}

async function expectClosed(bytes: Buffer): Promise<void> {
  const client = await WireClient.connect(server.uri);
  client.send(bytes);
  expect(await client.receive()).toBeUndefined();
  expect(await bystander.command({ count: 'kept', $db: 'hostile' })).toMatchObject({ n: 1 });
}

const whole = message(2013, ping);
test.each<[string, Buffer]>([
  ['a length of zero', patched(whole, 0, 0)],
  ['a negative length', patched(whole, 0, -1)],
  ['a length beyond the limit', patched(whole, 0, 48_000_001)],
  ['an unknown opcode', message(9999, ping)],
  ['an OP_MSG without anything', message(2013, Buffer.alloc(0))],
  ['flags that must be understood', message(2013, opMsgBody({ ping: 1, $db: 'admin' }, 1 << 5))],
  ['no body', message(2013, Buffer.alloc(4))],
  ['two bodies', message(2013, Buffer.concat([ping, ping.subarray(4)]))],
  ['a section of an unknown kind', message(2013, Buffer.concat([ping, Buffer.of(7), serialize({})]))],
  ['a section that reaches beyond the message', message(2013, patched(ping, 5, 1000))],
  ['a section of negative length', message(2013, patched(ping, 5, -5))],
  [
    'the same sequence twice',
    message(2013, Buffer.concat([ping, sequence('documents', [{}]), sequence('documents', [{}])])),
  ],
  ['an OP_QUERY without a name end', message(2004, Buffer.alloc(3, 65))],
  [
    'an OP_QUERY on a collection',
    message(2004, Buffer.concat([Buffer.alloc(4), Buffer.from('a.b\0'), Buffer.alloc(8), serialize({})])),
  ],
  ['compressed bytes that are none', squeezed(randomBytes(100), 1000)],
  ['a compressed message of another size', squeezed(deflateSync(ping), ping.length + 1)],
  ['a compressed message that blows up', squeezed(deflateSync(Buffer.alloc(10_000_000)), 100)],
  ['a compressed message that claims too much', squeezed(deflateSync(ping), 0x7fffffff)],
  ['an unknown compressor', squeezed(ping, ping.length, { compressor: 9 })],
  ['compression within compression', squeezed(deflateSync(whole), whole.length, { opCode: 2012 })],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
])('%s closes that connection and hurts no other', async (_name, bytes) => expectClosed(bytes));

test.each<[string, Buffer]>([
  ['a string without end', Buffer.from('\x02find\0\x05\0\0\0abcde')],
  ['an unknown type', Buffer.from('\x55find\0')],
  ['a document longer than its parent', Buffer.from('\x03find\0\xff\0\0\0\0', 'latin1')],
  ['a string that is no UTF-8', Buffer.from('\x02find\0\x03\0\0\0\xff\xfe\0', 'latin1')],
])('a command of broken BSON (%s) is refused', async (_name, elements) => {
  const document = Buffer.concat([Buffer.alloc(4), elements, Buffer.of(0)]);
  document.writeInt32LE(document.length, 0);
  const client = await WireClient.connect(server.uri);
  client.send(message(2013, Buffer.concat([Buffer.alloc(5), document])));
  const reply = await client.receive();
  expect(reply === undefined || reply.body.includes('errmsg')).toBe(true);
  expect(await bystander.command({ ping: 1, $db: 'admin' })).toEqual({ ok: 1 });
  client.close();
});

test('commands that are nested too deep are refused', async () => {
  let deep: object = {};
  for (let level = 0; level < 5000; level++) deep = { a: deep };
  expect(await bystander.command({ find: 'kept', filter: deep, $db: 'hostile' })).toMatchObject({ ok: 0 });
});

const target = { $db: 'hostile' };
const valid = [
  message(2013, opMsgBody({ find: 'target', filter: { a: { $in: ['safe', 1] } }, sort: { a: 1 }, ...target })),
  message(2013, opMsgBody({ aggregate: 'target', pipeline: [{ $group: { _id: '$a' } }], cursor: {}, ...target })),
  message(2013, opMsgBody({ update: 'target', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }], ...target })),
  message(
    2013,
    Buffer.concat([opMsgBody({ insert: 'target', ...target }), sequence('documents', [{ a: 1 }, { b: [1, 'x'] }])]),
  ),
  squeezed(deflateSync(ping), ping.length),
];

/** One to four changes of a message: bytes set, removed or doubled. */
const change = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'cut', 'double'),
  position: fc.nat(400),
  byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
  length: fc.integer({ min: 1, max: 12 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(bytes: Buffer, { kind, position, byte, length }: Change): Buffer {
  const at = position % bytes.length;
  if (kind === 'set') {
    const copy = Buffer.from(bytes);
    copy[at] = byte;
    return copy;
  }
  const piece = bytes.subarray(at, at + length);
  return Buffer.concat([bytes.subarray(0, at), ...(kind === 'cut' ? [] : [piece, piece]), bytes.subarray(at + length)]);
}

test('no change of a valid message stops the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...valid),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (original, changes, keepsLength) => {
        const bytes = changes.reduce(changed, original);
        // Most changes of length only make the server wait; with the right length they reach the content.
        if (keepsLength && bytes.length >= 16) bytes.writeInt32LE(bytes.length, 0);
        const client = await WireClient.connect(server.uri);
        client.send(bytes);
        client.send(message(2013, ping));
        if (bytes.length >= 16 && bytes.readInt32LE(0) <= bytes.length) await client.receive();
        client.close();
        expect(await bystander.command({ count: 'kept', $db: 'hostile' })).toMatchObject({ n: 1 });
      },
    ),
    { numRuns: 400 },
  );
});
