import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoError } from '../errors';
import { requireRoomFor } from './disk-space';
import { DATA_FILE, flush } from './environment';
import type { Store } from './store';

/** Files of a data folder beside its data file. */
const BESIDE = ['credentials.json'];

export interface Backup {
  folder: string;
  sizeBytes: number;
  /** The time of the snapshot: it contains every write acknowledged before, and none after it. */
  at: Date;
}

/**
 * Writes a snapshot into a new folder, with which a server can start. Reads and writes continue meanwhile.
 * The folder gets its name after it is complete and on disk.
 * @param parent created if missing
 * @throws NamespaceExists (48) if the name is used
 */
export async function backUp(store: Store, parent: string, name: string): Promise<Backup> {
  const folder = join(parent, name);
  const partial = `${folder}.partial`;
  if (existsSync(folder)) throw new MongoError('NamespaceExists', `the backup ${folder} exists already`);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  requireRoomFor(store.sizeBytes, parent);
  // A kill may have left one.
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  try {
    const { at, copied } = await store.writer.hold(() => beginCopy(store, partial));
    await copied;
    for (const file of BESIDE) {
      if (existsSync(join(store.folder, file))) cpSync(join(store.folder, file), join(partial, file));
    }
    await flush(partial);
    renameSync(partial, folder);
    await flush(parent);
    return { folder, at, sizeBytes: statSync(join(folder, DATA_FILE)).size };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Nothing may be written until it resolves: lmdb chooses the state of the copy in another thread, and has done so
 * when the first bytes of the copy exist.
 */
async function beginCopy(store: Store, folder: string): Promise<{ at: Date; copied: Promise<void> }> {
  let isDone = false;
  const copied = store.environment.copyTo(folder).finally(() => {
    isDone = true;
  });
  // The caller awaits it later than it may fail.
  copied.catch(() => undefined);
  const file = join(folder, DATA_FILE);
  while (!isDone && !statSync(file, { throwIfNoEntry: false })?.size) await delay(1);
  return { at: new Date(), copied };
}
