import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Placement } from '@moothall/infrastructure';
import { StartError } from './start-error';

/**
 * Files and folders of the data folder:
 *
 *     connection.json   addresses and sign-in of the running server
 *     secrets.json      keys, passwords and root's token, created at the first start
 *     logs/  run/       logs; pid files, sockets and configuration of running programs
 *     nats/  redis/  embedded-mongo/ or mongod/
 *     git/              repositories of the storage `default`
 *     git-second/       repositories of the storage `second`
 *     ssh/              host keys of git over SSH
 *     objects/          uploads, avatars, artifacts and exports
 *     uploads/          uploaded files, until services have read them
 *     registry/         container images, if docker-registry is installed
 *     mail/             mails, without SMTP_URL
 *     kept/             snapshot for the reset of a server for tests
 *     restoring.json    exists during a restore: the folder is incomplete
 *     untold-events.jsonl  events of a restored backup, until they are published
 *     waiting-mails.jsonl  mails of a restored backup, until they are queued
 */
export interface DataFolder {
  root: string;
  connectionFile: string;
  secretsFile: string;
  /** Names the keys that every process uses. */
  keysInUseFile: string;
  gitFolder: string;
  secondGitFolder: string;
  sshFolder: string;
  objectFolder: string;
  uploadFolder: string;
  mailFolder: string;
  keptFolder: string;
  cutOffFile: string;
  unprocessedEventsFile: string;
  waitingMailsFile: string;
  place: Placement;
}

/** Paths in a data folder, whether or not it exists. @param fsync for the programs that use it */
export function dataFolderAt(root: string, fsync = true): DataFolder {
  const inside = (name: string) => path.join(root, name);
  return {
    root,
    connectionFile: inside('connection.json'),
    secretsFile: inside('secrets.json'),
    keysInUseFile: inside('run/keys-in-use.json'),
    gitFolder: inside('git'),
    secondGitFolder: inside('git-second'),
    sshFolder: inside('ssh'),
    objectFolder: inside('objects'),
    uploadFolder: inside('uploads'),
    mailFolder: inside('mail'),
    keptFolder: inside('kept'),
    cutOffFile: inside('restoring.json'),
    unprocessedEventsFile: inside('untold-events.jsonl'),
    waitingMailsFile: inside('waiting-mails.jsonl'),
    place: { dataFolder: root, logFolder: inside('logs'), runFolder: inside('run'), fsync },
  };
}

/** Creates missing folders. @throws StartError if that is not possible, not writable, or a restore is incomplete */
export function openDataFolder(root: string, fsync = true): DataFolder {
  const folder = dataFolderAt(root, fsync);
  const { place } = folder;
  if (existsSync(folder.cutOffFile))
    throw new StartError(
      `A backup was being restored into ${root}, and is not there as a whole: run \`npm run restore\` again.`,
    );
  try {
    const { gitFolder, secondGitFolder, sshFolder, objectFolder, uploadFolder, mailFolder } = folder;
    const own = [gitFolder, secondGitFolder, sshFolder, objectFolder, uploadFolder, mailFolder];
    for (const name of [root, place.logFolder, place.runFolder, ...own]) {
      mkdirSync(name, { recursive: true, mode: 0o700 });
      accessSync(name, constants.R_OK | constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw new StartError(
      `The data folder ${root} is not writable: ${explain(error)}. Set MOOTHALL_DATA_DIR to another.`,
    );
  }
  return folder;
}

function explain(error: unknown): string {
  const { code, path: where, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST' || code === 'ENOTDIR') return `${where} is not a folder`;
  if (code === 'EACCES' || code === 'EPERM') return `permission denied for ${where}`;
  if (code === 'EROFS') return 'the file system is read-only';
  return message;
}
