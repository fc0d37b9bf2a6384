import { Readable } from 'node:stream';
import { ByteQueue } from '../process/byte-queue';
import { FLUSH, packet, takePacket } from './pkt-line';
import { readPushCommands } from './push-commands';

const A = 'a'.repeat(40);
const ZERO = '0'.repeat(40);

it('waits for whole packets', () => {
  const queue = new ByteQueue();
  const bytes = packet('hello');
  for (const byte of bytes.subarray(0, -1)) {
    queue.push(Buffer.from([byte]));
    expect(takePacket(queue)).toBeNull();
  }
  queue.push(bytes.subarray(-1));
  expect(takePacket(queue)!.payload.toString()).toBe('hello');
  expect(queue.length).toBe(0);
});

it.each(['zzzz', '0003', 'ffff'])('refuses the length %s', (head) => {
  const queue = new ByteQueue();
  queue.push(Buffer.from(head));
  expect(() => takePacket(queue)).toThrow('400 Bad Request');
});

it.each([1, 3, 1000])('reads push commands in chunks of %s, without loss', async (size) => {
  const all = Buffer.concat([
    packet(`${ZERO} ${A} refs/heads/x\0report-status side-band-64k`),
    packet(`${A} ${ZERO} refs/tags/y`),
    FLUSH,
    Buffer.from('PACKdata'),
  ]);
  const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.subarray(n * size, (n + 1) * size));
  const input = Readable.from(pieces, { objectMode: false });
  const commands = await readPushCommands(input);
  expect(commands.updates).toEqual([
    { refName: 'refs/heads/x', before: null, after: A },
    { refName: 'refs/tags/y', before: A, after: null },
  ]);
  expect([...commands.capabilities]).toEqual(['report-status', 'side-band-64k']);
  const rest: Buffer[] = [];
  for await (const chunk of input) rest.push(chunk as Buffer);
  expect(Buffer.concat([commands.head, ...rest]).equals(all)).toBe(true);
});
