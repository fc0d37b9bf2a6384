import { rmSync } from 'node:fs';
import path from 'node:path';
import { mongo } from 'mongoose';
import { BackupError } from './backup-error';
import type { Draft } from './draft';
import { databaseFolder } from './manifest';

/** A killed backup may have left one with this name. */
const copyName = 'moothall-backup';

/**
 * Copies a snapshot of the embedded database.
 * @returns its time
 * @throws BackupError for another database
 */
export async function copyDatabase(draft: Draft, uri: string, dataFolder: string): Promise<Date> {
  const made = path.join(dataFolder, 'embedded-mongo', 'backups', copyName);
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  rmSync(made, { recursive: true, force: true });
  try {
    const { folder, at } = await client.db('admin').command({ backup: copyName });
    await draft.keepTree(folder, databaseFolder);
    return at;
  } catch (error) {
    throw refusalOf(error as Refusal) ?? error;
  } finally {
    rmSync(made, { recursive: true, force: true });
    await client.close();
  }
}

interface Refusal {
  code?: number;
  message: string;
}

function refusalOf({ code, message }: Refusal): BackupError | undefined {
  if (code === 59 || code === 115)
    return new BackupError(
      'The database is a MongoDB, which has its own backup tools: see docs/backup.md, "A cluster".',
    );
  if (code === 14031) return new BackupError(`No disk space for a copy of the database: ${message}.`);
  if (code === 117) return new BackupError(`The database is busy: ${message}.`);
  return undefined;
}
