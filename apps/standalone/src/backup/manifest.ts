import { createReadStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { BackupError } from './backup-error';
import { type Copied, readThrough } from './copy-file';

/*
 * A backup:
 *
 *     backup.json       what it is; without it a folder is no backup
 *     files.jsonl       every other file and folder in it
 *     events.jsonl      events that had not been followed at its moment
 *     mails.jsonl       mails that waited for the mail server
 *     secrets.json
 *     database/         of the embedded MongoDB, as it was at its moment
 *     storages/<name>/  repositories
 *     objects/  ssh/  mail/  registry/
 */
export const headFile = 'backup.json';
export const listFile = 'files.jsonl';
export const eventsFile = 'events.jsonl';
export const mailsFile = 'mails.jsonl';
export const databaseFolder = 'database';
export const storageFolder = 'storages';

/** Raised when a backup means something else than before. */
export const format = 1;

export interface Head {
  format: number;
  /** The moment whose database it has. */
  at: string;
  startedAt: string;
  finishedAt: string;
  /** Whose it is. */
  dataFolder: string;
  storages: string[];
  files: number;
  bytes: number;
  /** Of the list of files, which has those of all others. */
  sha256: string;
}

/** A file of a backup by its path in it; one of a folder ends with `/`. */
export interface Entry extends Partial<Copied> {
  path: string;
  mode: number;
  /** What the file was that it was copied from: it is not copied again while that is the same. */
  stamp?: string;
}

/** @throws BackupError where the folder is no whole backup, or one of another version */
export function readHead(folder: string): Head {
  const file = path.join(folder, headFile);
  if (!existsSync(file)) throw new BackupError(`${folder} is no backup: it has no ${headFile}.`);
  const head = parse<Head>(readFileSync(file, 'utf8'), file);
  if (head.format !== format)
    throw new BackupError(`${folder} has format ${head.format}; this version reads ${format}.`);
  const { sha256 } = readThrough(path.join(folder, listFile));
  if (sha256 !== head.sha256) throw new BackupError(`${folder} is damaged: ${listFile} is not what was written.`);
  return head;
}

/** In the order in which a restore makes them: folders before what is in them. */
export async function* readEntries(folder: string): AsyncGenerator<Entry> {
  const file = path.join(folder, listFile);
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const entry = parse<Entry>(line, file);
    if (!isBelow(entry.path)) throw new BackupError(`${file} names a path outside of the backup: ${entry.path}`);
    yield entry;
  }
}

const isBelow = (name: string): boolean =>
  !path.isAbsolute(name) &&
  name
    .replace(/\/$/, '')
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..');

function parse<T>(text: string, file: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new BackupError(`${file} is damaged: it is not JSON.`);
  }
}
