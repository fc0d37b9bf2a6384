import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rotateSigningKey } from '@moothall/contracts';
import { connectNats, OperationClient, securityOf } from '@moothall/messaging';
import { runCommand } from '../console/run-command';
import { dataFolderAt } from '../data-folder/open-data-folder';
import { StartError } from '../data-folder/start-error';
import { resealAll, type SealedCounts } from './reseal';
import { rotateKeys } from './rotate-keys';

const usage = `npm run keys -- rotate   new keys for the server on MOOTHALL_DATA_DIR (./data), while it runs
npm run keys -- reseal   encrypts anew what is under another key than SECRET_KEY
npm run keys -- openid   a new key for OpenID tokens
The last two ask the services on NATS_URL, else those of the server.
`;

/** `npm run keys`. Exit code 0: done; 1: failed, with the reason; 2: wrong arguments. */
async function run([command, ...rest]: readonly string[]): Promise<number | undefined> {
  if (rest.length > 0) return undefined;
  if (command === 'rotate') return rotate();
  if (command === 'reseal') return reseal();
  if (command === 'openid') return openid();
  return undefined;
}

async function rotate(): Promise<number> {
  const { folder, connection } = serverHere();
  const replaceProcesses = () => {
    process.kill(connection.pid, 'SIGUSR2');
  };
  const counts = await connected(connection.nats_url, (client) =>
    rotateKeys({ folder, replaceProcesses, client, say }),
  );
  say('The keys were rotated.');
  return reportUnreadable(counts);
}

async function openid(): Promise<number> {
  const { kid, signs_from } = await connected(natsUrl(), (client) => client.call(rotateSigningKey, {}));
  say(`OpenID tokens are signed by the key ${kid} from ${signs_from} on; it is already published.`);
  return 0;
}

const natsUrl = (): string => process.env.NATS_URL ?? serverHere().connection.nats_url;

async function reseal(): Promise<number> {
  const counts = await connected(natsUrl(), resealAll);
  say(`${counts.seen} encrypted fields; ${counts.resealed} were under another key, and are under SECRET_KEY now.`);
  return reportUnreadable(counts);
}

/** Values that were unreadable before the rotation: users have to enter them again. */
function reportUnreadable({ unreadable }: SealedCounts): number {
  for (const field of unreadable) say(`Under a key that nobody has: ${field}`);
  return unreadable.length > 0 ? 1 : 0;
}

function serverHere() {
  const folder = dataFolderAt(path.resolve(process.env.MOOTHALL_DATA_DIR ?? 'data'));
  if (!existsSync(folder.connectionFile))
    throw new StartError(
      `No server runs on ${folder.root}: there is no connection.json. Start it, or set MOOTHALL_DATA_DIR.`,
    );
  return {
    folder,
    connection: JSON.parse(readFileSync(folder.connectionFile, 'utf8')) as { pid: number; nats_url: string },
  };
}

async function connected<T>(natsUrl: string, work: (client: OperationClient) => Promise<T>): Promise<T> {
  const connection = await connectNats(natsUrl, 'keys', securityOf(process.env));
  return work(new OperationClient(connection)).finally(() => connection.close());
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

runCommand({ usage, run, explain: (error) => (error instanceof StartError ? error.message : undefined) });
