import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoError } from '../errors';
import { requireRoomFor } from './disk-space';
import { DATA_FILE, Environment, flush } from './environment';
import { COMPACTING, type Store } from './store';

/** The number of changes that are copied while writes wait. */
const LAST_CHANGES = 1000;
/** Keys that one transaction copies: others are served between two. */
const KEYS_PER_TURN = 500;
/** The limit of changes during the copy, which are in memory. */
const MOST_CHANGES = 2_000_000;
const MOST_ROUNDS = 20;

/**
 * Replaces the data file by a copy without its free pages. Reads and writes continue: changes during the copy are copied
 * too, the last ones while writes wait. The copy is renamed to the file atomically: before that the file is unchanged, and
 * after that the copy has every acknowledged write.
 * @returns the freed bytes
 */
export async function compact(store: Store): Promise<number> {
  const before = store.sizeBytes;
  requireRoomFor(before, store.folder);
  const folder = join(store.folder, `${COMPACTING}${randomUUID()}`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    await store.writer.hold(async () => {
      for (const part of store.parts) part.noteChanges();
    });
    await store.environment.copyTo(folder);
    const copy = new Environment(folder, store.environment.options);
    try {
      await catchUp(store, copy);
      await store.writer.hold(() => takePlace(store, copy, folder));
    } catch (error) {
      if (store.environment !== copy) await copy.close();
      throw error;
    }
  } finally {
    for (const part of store.parts) part.forgetChanges();
    rmSync(folder, { recursive: true, force: true });
  }
  return before - store.sizeBytes;
}

/** Copies changes until few are left. Faster writers wait longer at the end. */
async function catchUp(store: Store, copy: Environment): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const count = store.parts.reduce((sum, { changes }) => sum + changes, 0);
    if (count > MOST_CHANGES) throw new MongoError('OperationFailed', 'too much was written during the compaction');
    if (count <= LAST_CHANGES) return;
    // Between two transactions: the collected keys are stored.
    const changes = await store.writer.hold(async () => takeChanges(store));
    await bringOver(store, copy, changes);
  }
}

const takeChanges = (store: Store): string[][] => store.parts.map((part) => [...part.noteChanges()]);

async function bringOver(store: Store, copy: Environment, changes: string[][]): Promise<void> {
  const targets = [copy.documents, copy.entries, copy.catalog];
  for (const [at, keys] of changes.entries()) {
    for (let from = 0; from < keys.length; from += KEYS_PER_TURN) {
      const some = keys.slice(from, from + KEYS_PER_TURN);
      await copy.transaction(() => store.parts[at]!.bringUpToDate(targets[at]!, some));
    }
  }
}

async function takePlace(store: Store, copy: Environment, folder: string): Promise<void> {
  await bringOver(store, copy, takeChanges(store));
  renameSync(join(folder, DATA_FILE), join(store.folder, DATA_FILE));
  const former = store.switchTo(copy);
  await flush(store.folder);
  await former.close();
}
