import { createReadStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { BackupError } from './backup-error';
import { type Copied, readThrough } from './copy-file';

/*
 * Files and folders of a backup:
 *
 *     backup.json       description of the backup; a folder without it is not a backup
 *     files.jsonl       list of all other files and folders
 *     events.jsonl      events that were not processed yet
 *     mails.jsonl       mails that were queued for the mail server
 *     secrets.json
 *     database/         snapshot of the embedded MongoDB
 *     storages/<name>/  repositories
 *     objects/  ssh/  mail/  registry/
 */
export const headFile = 'backup.json';
export const listFile = 'files.jsonl';
export const eventsFile = 'events.jsonl';
export const mailsFile = 'mails.jsonl';
export const databaseFolder = 'database';
export const storageFolder = 'storages';

/** Incremented when the format changes. */
export const format = 1;

export interface Head {
  format: number;
  /** Time of the database snapshot. */
  at: string;
  startedAt: string;
  finishedAt: string;
  /** Data folder of the server. */
  dataFolder: string;
  storages: string[];
  files: number;
  bytes: number;
  /** Checksum of the list of files, which has those of all others. */
  sha256: string;
}

/** A file of a backup by path; a folder has a trailing `/`. */
export interface Entry extends Partial<Copied> {
  path: string;
  mode: number;
  /** State of the source file: it is not copied again while this is the same. */
  stamp?: string;
}

/** @throws BackupError unless the folder is a complete backup of this version */
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

/** In the order of a restore: folders before their content. */
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
