/** Large files through a server, beside a plain stream to and from the disk through one proxy. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { memoryOf } from './stack.mjs';

const block = randomBytes(1 << 20);

/** @returns its path */
export function largeFile(folder, bytes) {
  const file = path.join(folder, 'large');
  const handle = openSync(file, 'w');
  for (let at = 0; at < bytes; at += block.length) writeSync(handle, block);
  closeSync(handle);
  return file;
}

/** Stores request bodies in a file and returns it, through another server that only forwards. */
export async function startFloor(folder) {
  const kept = path.join(folder, 'kept');
  const store = createServer(async (request, response) => {
    if (request.method !== 'GET') {
      await pipeline(request, createWriteStream(kept, { flush: true }));
      response.writeHead(201).end();
    } else {
      await pipeline(createReadStream(kept), response);
    }
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  const proxy = createServer((request, response) => {
    const { method, headers } = request;
    const onward = send({ port: store.address().port, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const stop = () => [store, proxy].map((server) => server.close());
  return { url: `http://127.0.0.1:${proxy.address().port}`, stop };
}

/** @returns the time of curl, and the maximum memory of the server meanwhile */
export async function seconds(stack, args) {
  const began = performance.now();
  const client = spawn('curl', ['-sf', '-o', '/dev/null', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(stack.pid));
  }, 1000);
  const [code] = await once(client, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`curl ${args.at(-1)} ended with ${code}`);
  return { took: (performance.now() - began) / 1000, peak };
}

/** One figure for both. */
export const besideFloor = (figure, ours, bare) => ({
  figure,
  value: `${ours.took.toFixed(1)} s`,
  floor: `${bare.took.toFixed(1)} s`,
  ratio: bare.took / ours.took,
  goal: 0.8,
});
