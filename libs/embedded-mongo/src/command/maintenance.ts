import { join } from 'node:path';
import { Long } from 'bson';
import { MongoError } from '../errors';
import { backUp } from '../storage/backup';
import { compact as compactStore } from '../storage/compact';
import { namespaceOf } from './arguments';
import type { Command } from './command';

/** Not a path: a client names a backup, in a folder that the operator chose. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;

/** A snapshot of all databases, while others read and write. MongoDB has no such command. */
export const backup: Command = {
  name: 'backup',
  arguments: [],
  async run({ engine, database, body }) {
    if (database !== 'admin')
      throw new MongoError('Unauthorized', 'backup may only be run against the admin database.');
    const { backup: name } = body;
    if (typeof name !== 'string' || !NAME.test(name) || name.endsWith('.partial')) {
      throw new MongoError('BadValue', 'a backup has a name of letters, digits, dots, dashes and underscores');
    }
    const { store, options } = engine;
    const parent = options.backupsPath ?? join(options.dbPath, 'backups');
    const { folder, sizeBytes, at } = await store.maintain(() => backUp(store, parent, name));
    return { folder, sizeBytes: Long.fromNumber(sizeBytes), at, ok: 1 };
  },
};

/**
 * Returns deleted space to the disk. All collections share a file, so all are compacted, whichever is named.
 * @see https://www.mongodb.com/docs/manual/reference/command/compact/
 */
export const compact: Command = {
  name: 'compact',
  arguments: ['force'],
  async run(call) {
    const { engine } = call;
    engine.catalog.get(namespaceOf(call));
    await engine.garbageRemover.idle();
    const freed = await engine.store.maintain(() => compactStore(engine.store));
    return { bytesFreed: Long.fromNumber(Math.max(0, freed)), ok: 1 };
  },
};
