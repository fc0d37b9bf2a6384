import path from 'node:path';
import { DatabaseSnapshot } from '@moothall/infrastructure';
import type { BackupFolders } from '../backup/backup-folders';
import { storageFolder } from '../backup/manifest';
import type { Children } from './children';
import { FolderSnapshot } from './folder-snapshot';

interface Server {
  children: Children;
  mongodbUri: string;
  /** Prefix of the names of its databases. */
  prefix: string;
  folders: BackupFolders;
  /** A folder of its own. */
  keptFolder: string;
}

/** Git finds objects by refs, which are restored; long-lived git processes check their files. */
const isObjects = (folder: string): boolean => /\.git\/objects(\/|$)/.test(folder);

/** A snapshot of a whole server, which can be restored in a moment while its processes run. */
export class Reset {
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    private readonly documents: DatabaseSnapshot,
    private readonly folders: FolderSnapshot[],
  ) {}

  /** Takes the snapshot after all follow-up work is done. */
  static async prepare(server: Server): Promise<Reset> {
    const { children, mongodbUri, prefix, folders, keptFolder } = server;
    await children.giveOne('settle');
    const keep = async () => {
      const documents = await DatabaseSnapshot.keep(mongodbUri, prefix);
      const kept = foldersOf(folders).map(
        ([name, folder]) => new FolderSnapshot(folder, path.join(keptFolder, name), isObjects),
      );
      return new Reset(server, documents, kept);
    };
    return children.whileHeld(keep, 'release');
  }

  /** One at a time. @throws Error if running work does not end; then nothing is changed */
  putBack(): Promise<void> {
    const next = this.last.then(() => this.server.children.whileHeld(() => this.putBackHeld(), 'release as new'));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async putBackHeld(): Promise<void> {
    for (const folder of this.folders) folder.putBack();
    await Promise.all([this.documents.putBack(), this.server.children.giveOne('forget')]);
  }

  async close(): Promise<void> {
    await this.last;
    await this.documents.close();
  }
}

/** Of a storage only the repositories: other files belong to its process. Host keys stay. */
function foldersOf({ ssh: _, ...folders }: BackupFolders): [string, string][] {
  return Object.entries(folders).map(([name, folder]) => [
    name,
    name.startsWith(`${storageFolder}/`) ? path.join(folder, '@hashed') : folder,
  ]);
}
