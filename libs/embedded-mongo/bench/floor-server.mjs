// A server that answers every command with a prepared reply: it measures the cost of the driver and the kernel.
// usage: floor-server.mjs SOCKET REPLIES, the latter a JSON file of base64 BSON by command name.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { serialize } from 'bson';

const [socketPath, repliesPath] = process.argv.slice(2);
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const hello = serialize({
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16777216,
  maxMessageSizeBytes: 48000000,
  maxWriteBatchSize: 100000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  ok: 1,
});
const prepared = new Map(
  Object.entries(JSON.parse(readFileSync(repliesPath, 'utf8'))).map(([name, bson]) => [
    name,
    msg(Buffer.from(bson, 'base64')),
  ]),
);
const helloMsg = msg(hello);
const okMsg = msg(serialize({ ok: 1 }));

function framed(opCode, prefix, document) {
  const length = 16 + prefix.length + document.length;
  const header = Buffer.alloc(16);
  header.writeInt32LE(length, 0);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, prefix, document]);
}

function msg(document) {
  return framed(OP_MSG, Buffer.alloc(5), document);
}

function legacyHello() {
  const prefix = Buffer.alloc(20);
  prefix.writeInt32LE(1, 16);
  return framed(OP_REPLY, prefix, hello);
}

function replyTo(message) {
  if (message.readInt32LE(12) === OP_QUERY) return legacyHello();
  const name = message.toString('latin1', 26, message.indexOf(0, 26));
  return prepared.get(name) ?? (name === 'hello' ? helloMsg : okMsg);
}

createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      const reply = Buffer.from(replyTo(message));
      message.copy(reply, 8, 4, 8);
      socket.write(reply);
      rest = rest.subarray(message.length);
    }
  });
}).listen(socketPath, () =>
  process.stdout.write(`${JSON.stringify({ uri: `mongodb://${encodeURIComponent(socketPath)}/` })}\n`),
);
