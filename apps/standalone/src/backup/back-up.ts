import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FolderInUse, FolderLock } from '@moothall/background';
import { connectNats, securityOf, UnprocessedEvents } from '@moothall/messaging';
import { identifyProcess } from '@moothall/processes';
import { writePrivateFile } from '../data-folder/write-private-file';
import { BackupError } from './backup-error';
import type { BackupFolders } from './backup-folders';
import { copyDatabase } from './copy-database';
import { RepositoryCopies } from './copy-repositories';
import { Draft } from './draft';
import { eventsFile, format, type Head, headFile, mailsFile, readHead, storageFolder } from './manifest';
import { waitingMails } from './waiting-mails';

const backupName = /^\d{4}-\d\d-\d\dT\d{6}Z$/;
const draftName = /\.draft$/;
export const lockName = 'backup.lock';
/** Other entries that a backup folder may contain: the lock, and entries at the root of file systems. */
const others = /^(backup\.lock.*|lost\+found)$/;

/** The running server, from `connection.json`. */
interface Running {
  pid: number;
  mongodb_uri: string;
  nats_url: string;
  redis_url: string;
  places: BackupFolders;
}

/** A completed backup. */
export interface Made {
  folder: string;
  head: Head;
  /** Bytes that are not linked to the previous backup. */
  newBytes: number;
  /** Parts that are stored elsewhere and not included. */
  without: string[];
}

/**
 * Copies the data of a running server into a new folder of `target`, as of one moment, while it serves requests; see
 * ADR 13. The folder gets its name once it is complete and on disk.
 * @throws BackupError, after which the target contains nothing new
 */
export async function backUp(dataFolder: string, target: string): Promise<Made> {
  const running = findRunning(dataFolder);
  if (isWithin(target, dataFolder))
    throw new BackupError(`${target} is in the data folder, and would be lost with it.`);
  requireBackupsOnly(target);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const locks: FolderLock[] = [];
  try {
    for (const folder of [target, path.join(dataFolder, 'run')]) locks.push(lock(folder));
    for (const name of readdirSync(target).filter((one) => draftName.test(one))) remove(path.join(target, name));
    return await copyAll(running, dataFolder, target);
  } finally {
    for (const one of locks) one.release();
  }
}

function findRunning(dataFolder: string): Running {
  const file = path.join(dataFolder, 'connection.json');
  const running = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Running) : undefined;
  if (running && identifyProcess(running.pid) !== undefined) {
    if (running.places) return running;
    throw new BackupError(`The server on ${dataFolder} is of an earlier version: restart it.`);
  }
  throw new BackupError(
    `No server runs on ${dataFolder}. Start it, or set MOOTHALL_DATA_DIR. If it is stopped, copy the data folder.`,
  );
}

const isWithin = (folder: string, parent: string): boolean => !path.relative(parent, folder).startsWith('..');

function requireBackupsOnly(target: string): void {
  const names = existsSync(target) ? readdirSync(target) : [];
  const strange = names.filter((name) => !backupName.test(name.replace(draftName, '')) && !others.test(name));
  if (strange.length > 0)
    throw new BackupError(`${target} has ${strange[0]} in it, which is no backup. Name a new or an empty folder.`);
}

function lock(folder: string): FolderLock {
  try {
    return FolderLock.take(folder, lockName);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new BackupError(`Process ${error.holder.pid} is already creating a backup or rotating keys.`);
  }
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** The newest complete backup of the same server: its unchanged files need not be copied again. */
function findPrevious(target: string, dataFolder: string): string | undefined {
  const names = readdirSync(target).filter((name) => backupName.test(name));
  const folders = names.sort().map((name) => path.join(target, name));
  return folders.findLast((folder) => isOf(folder, dataFolder));
}

/** A damaged one is not used, and does not prevent a new one. */
function isOf(backup: string, dataFolder: string): boolean {
  try {
    return readHead(backup).dataFolder === dataFolder;
  } catch (error) {
    if (error instanceof BackupError) return false;
    throw error;
  }
}

async function copyAll(running: Running, dataFolder: string, target: string): Promise<Made> {
  const startedAt = new Date();
  const name = `${startedAt.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const folder = path.join(target, name);
  if (existsSync(folder)) throw new BackupError(`${folder} was made in this second: try again.`);
  const draftFolder = `${folder}.draft`;
  try {
    const draft = await Draft.begin(draftFolder, findPrevious(target, dataFolder));
    const at = await copyRunning(draft, running, dataFolder);
    const head = seal(draft, { at, startedAt }, dataFolder, running);
    // The name must not be visible before the content is on disk: there are too many files to sync each.
    execFileSync('sync');
    renameSync(draftFolder, folder);
    execFileSync('sync');
    return { folder, head, newBytes: draft.newBytes, without: running.places.objects ? [] : ['objects'] };
  } catch (error) {
    remove(draftFolder);
    throw error;
  }
}

/**
 * One round of all files, the snapshot of the database, and one round of changes: files that the snapshot refers to are
 * in one of the rounds, even if they were created just before or deleted just after.
 */
async function copyRunning(draft: Draft, running: Running, dataFolder: string): Promise<Date> {
  const files = new FileRounds(draft, running.places);
  await files.round();
  const nats = await connectNats(running.nats_url, 'backup', securityOf(process.env));
  try {
    const events = new UnprocessedEvents(nats);
    const positions = await events.positions();
    // After the positions of the consumers: a mail that a consumer behind its position queued is still waiting, or was
    // sent.
    await writeLines(draft, mailsFile, waitingMails(running.redis_url));
    const at = await copyDatabase(draft, running.mongodb_uri, dataFolder);
    await writeLines(draft, eventsFile, events.list(positions, at));
    await files.round();
    draft.keep(path.join(dataFolder, 'secrets.json'), 'secrets.json');
    return at;
  } finally {
    await nats.close();
  }
}

async function writeLines(draft: Draft, name: string, lines: AsyncIterable<unknown>): Promise<void> {
  appendFileSync(draft.place(name), '', { mode: 0o600 });
  for await (const one of lines) appendFileSync(draft.place(name), `${JSON.stringify(one)}\n`);
  draft.seal(name);
}

class FileRounds {
  private readonly repositories: RepositoryCopies;

  constructor(
    private readonly draft: Draft,
    private readonly folders: BackupFolders,
  ) {
    const storages = Object.entries(folders).filter(([at]) => at.startsWith(`${storageFolder}/`));
    this.repositories = new RepositoryCopies(
      draft,
      new Map(storages.map(([at, folder]) => [at.slice(storageFolder.length + 1), folder])),
    );
  }

  async round(): Promise<void> {
    await this.repositories.round();
    await this.images();
    for (const at of ['objects', 'ssh', 'mail']) {
      // Files outside of the temporary folder are complete.
      if (this.folders[at]) await this.draft.keepTree(this.folders[at], at, { isWanted: (name) => name !== '.drafts' });
    }
  }

  /** For images: links to blobs before the blobs. */
  private async images(): Promise<void> {
    const below = 'docker/registry/v2';
    for (const part of ['repositories', 'blobs']) {
      const source = path.join(this.folders.registry ?? '', below, part);
      await this.draft.keepTree(source, `registry/${below}/${part}`, { isWanted: (name) => name !== '_uploads' });
    }
  }
}

function seal(
  draft: Draft,
  { at, startedAt }: Record<'at' | 'startedAt', Date>,
  dataFolder: string,
  { places }: Running,
): Head {
  const storages = Object.keys(places).flatMap((place) =>
    place.startsWith(`${storageFolder}/`) ? [place.slice(storageFolder.length + 1)] : [],
  );
  const head: Head = {
    format,
    at: at.toISOString(),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    dataFolder,
    storages,
    files: draft.files,
    bytes: draft.bytes,
    sha256: draft.writeList(),
  };
  writePrivateFile(draft.place(headFile), head);
  return head;
}
