/**
 * Dead letters, events that a service could not handle: `npm run dead-letters` lists them, `npm run dead-letters --
 * replay 7` (or `all`) delivers them again to their consumers, `discard 7` deletes them. It connects to NATS_URL, else
 * to the server of ./data.
 */
import './help.mjs';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './set-up.mjs';

const { connectNats, DeadLetters, securityOf } = createRequire(import.meta.url)(
  path.join(root, 'libs/messaging/dist/index.js'),
);

const [command = 'list', which] = process.argv.slice(2);
if (!['list', 'replay', 'discard'].includes(command) || (command !== 'list' && !/^(all|\d+)$/.test(which ?? ''))) {
  process.stderr.write('npm run dead-letters [-- list | replay <number>|all | discard <number>|all]\n');
  process.exit(2);
}

function natsUrl() {
  const folder = path.resolve(process.env.MOOTHALL_DATA_DIR ?? 'data');
  return process.env.NATS_URL ?? JSON.parse(readFileSync(path.join(folder, 'connection.json'), 'utf8')).nats_url;
}

function show({ sequence, durable, reason, setAsideAt, event }) {
  const [why] = reason.split('\n');
  console.log(
    `${sequence}  ${setAsideAt.toISOString()}  ${durable}  ${event?.name ?? 'no event'} ${event?.id ?? ''}\n    ${why}`,
  );
}

const connection = await connectNats(natsUrl(), 'dead-letters', securityOf(process.env));
const letters = new DeadLetters(connection);
try {
  const all = [];
  for await (const letter of letters.list()) all.push(letter);
  if (command === 'list') {
    for (const letter of all) show(letter);
    if (all.length === 0) console.log('None.');
  } else {
    const chosen = which === 'all' ? all.map(({ sequence }) => sequence) : [Number(which)];
    for (const sequence of chosen) await letters[command](sequence);
    console.log(`${chosen.length} ${command === 'replay' ? 'sent to be handled again' : 'thrown away'}.`);
  }
} finally {
  await connection.close();
}
