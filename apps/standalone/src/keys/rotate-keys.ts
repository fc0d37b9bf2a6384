import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { FolderInUse, FolderLock } from '@moothall/background';
import type { OperationClient } from '@moothall/messaging';
import { lockName } from '../backup/back-up';
import type { DataFolder } from '../data-folder/open-data-folder';
import { StartError } from '../data-folder/start-error';
import { type KeysInUse, nameOfKeys, newKeys, type Secrets, storeSecrets } from '../data-folder/store-secrets';
import { writePrivateFile } from '../data-folder/write-private-file';
import { resealAll, type SealedCounts } from './reseal';

const lookEveryMs = 200;
const patienceMs = 20 * 60_000;

interface Server {
  folder: DataFolder;
  /**
   * Replaces every process, with the current keys; has no effect while a replacement is running. @throws if the server
   * has ended
   */
  replaceProcesses: () => void;
  client: OperationClient;
  say: (text: string) => void;
}

/**
 * Gives a running server new keys in `secrets.json`, without downtime: all processes learn the next keys, then use
 * them, then all values are encrypted with them, then the former keys are removed. An interrupted rotation is resumed.
 * @throws StartError if the server does not use the keys of its folder, or its processes cannot be replaced
 */
export async function rotateKeys(server: Server): Promise<SealedCounts> {
  requireOwnKeys(server);
  const lock = takeLock(server);
  try {
    return await rotateAlone(server);
  } finally {
    lock.release();
  }
}

/** This also prevents backups: their database could be older than their keys. */
function takeLock({ folder }: Server): FolderLock {
  try {
    return FolderLock.take(folder.place.runFolder, lockName);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new StartError(`Process ${error.holder.pid} is already creating a backup or rotating keys.`);
  }
}

async function rotateAlone(server: Server): Promise<SealedCounts> {
  const { say, client } = server;
  const read = () => storeSecrets(server.folder.secretsFile, {});
  if (read().rotation) say('Continuing the interrupted key rotation.');
  else keep(server, { ...read(), rotation: { others: 'next', ...newKeys() } });
  if (read().rotation?.others === 'next') {
    say('Replacing every process by one that accepts the next keys.');
    await inUse(server, read());
    keep(server, swapped(read()));
  }
  say('Replacing every process by one that uses them.');
  await inUse(server, read());
  const counts = await resealAll(client);
  say(`${counts.resealed} of ${counts.seen} encrypted fields were under the former key, and are under the new one.`);
  const { rotation: _, ...rest } = read();
  keep(server, rest);
  say('Replacing every process by one without the old keys.');
  await inUse(server, rest);
  return counts;
}

const keep = ({ folder }: Server, secrets: Secrets): void => writePrivateFile(folder.secretsFile, secrets);

function swapped({ secretKey, ticketKey, rotation, ...rest }: Secrets): Secrets {
  if (!rotation) throw new Error('no other keys are known');
  const { secretKey: nextSecretKey, ticketKey: nextTicketKey } = rotation;
  const former = { others: 'former' as const, secretKey, ticketKey };
  return { ...rest, secretKey: nextSecretKey, ticketKey: nextTicketKey, rotation: former };
}

/** A SECRET_KEY set by the operator is rotated by the operator. */
function requireOwnKeys({ folder }: Server): void {
  if (!readInUse(folder)?.isOwn)
    throw new StartError('SECRET_KEY is set for this server, so change it there: see docs/secrets.md.');
}

/** Replaces every process, and waits until all of them use these keys. */
async function inUse({ folder, replaceProcesses }: Server, secrets: Secrets): Promise<void> {
  const wanted = nameOfKeys(secrets);
  const givenUpAt = Date.now() + patienceMs;
  while (readInUse(folder)?.name !== wanted) {
    if (Date.now() > givenUpAt) throw new StartError('Not every process could be replaced: see the log of the server.');
    try {
      replaceProcesses();
    } catch {
      throw new StartError('The server has ended. Start it, and run the same command again to continue.');
    }
    await delay(lookEveryMs);
  }
}

const readInUse = ({ keysInUseFile }: DataFolder): KeysInUse | undefined =>
  existsSync(keysInUseFile) ? JSON.parse(readFileSync(keysInUseFile, 'utf8')) : undefined;
