import path from 'node:path';
import { runCommand } from '../console/run-command';
import { StopSignals } from '../stop-signals';
import { type Moved, moveDatabase } from './move-database';
import { explain, withoutPasswords } from './move-error';

const usage = `npm run move-database -- <mongodb://... or mongodb+srv://...>
MONGODB_URI names it where the command does not: who looks at the processes of the machine sees no password then.
The data folder is MOOTHALL_DATA_DIR, ./data unless set.
`;

/**
 * `npm run move-database`. Exit code 0: everything was copied and compared; 1: failed, with one line; 2: wrong
 * arguments.
 */
async function run([uri = process.env.MONGODB_URI, ...rest]: readonly string[]): Promise<number | undefined> {
  if (uri === undefined || !/^mongodb(\+srv)?:\/\//.test(uri) || rest.length > 0) return undefined;
  const startedAt = performance.now();
  const dataFolder = path.resolve(process.env.MOOTHALL_DATA_DIR ?? 'data');
  const moved = await moveDatabase(dataFolder, { uri, say, stop: new StopSignals().stop });
  sayMoved(moved, { uri, dataFolder, seconds: Math.ceil((performance.now() - startedAt) / 1000) });
  return 0;
}

interface Facts {
  uri: string;
  dataFolder: string;
  seconds: number;
}

function sayMoved({ collections }: Moved, { uri, dataFolder, seconds }: Facts): void {
  const total = (what: 'documents' | 'bytes' | 'indexes') => collections.reduce((sum, one) => sum + one[what], 0);
  say('');
  for (const { namespace, documents, indexes, checksum } of collections)
    say(`${namespace}: ${documents} documents, ${indexes} indexes, checksum ${checksum.slice(0, 16)}`);
  const size = `${total('documents')} documents, ${(total('bytes') / 1024 ** 2).toFixed(1)} MB`;
  say(
    `\nAll ${collections.length} collections are there as they are here: ${size}, ${total('indexes')} indexes; ${seconds} s.`,
  );
  say(`From now on start the server with that address as MONGODB_URI: ${withoutPasswords(uri)}`);
  say(
    `${path.join(dataFolder, 'embedded-mongo')} is as it was, and nobody writes to it any more: remove it when you like.`,
  );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

runCommand({ usage, run, explain });
