import path from 'node:path';
import type { DataFolder } from '../data-folder/open-data-folder';
import { storagesOf } from '../data-folder/storages-of';
import { storageFolder } from './manifest';

/** Folders of an installation by their path in a backup. */
export type BackupFolders = Record<string, string>;

/** The folders of `npm start` with these settings. Parts in object storage have no folder. */
export function backupFoldersOf(folder: DataFolder, env: NodeJS.ProcessEnv): BackupFolders {
  const storages = storagesOf(folder, env).map((entry) => {
    const [, name = '', where = ''] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
    return [`${storageFolder}/${name}`, path.resolve(where)];
  });
  return {
    ...Object.fromEntries(storages),
    ...(env.S3_ENDPOINT ? {} : { objects: path.resolve(env.OBJECT_STORAGE_DIR ?? folder.objectFolder) }),
    ssh: path.resolve(env.SSH_HOST_KEY_DIR ?? folder.sshFolder),
    mail: path.resolve(env.MAIL_DIR ?? folder.mailFolder),
    registry: path.join(folder.root, 'registry'),
  };
}
