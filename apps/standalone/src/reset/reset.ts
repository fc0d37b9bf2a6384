import path from 'node:path';
import { DatabaseSnapshot } from '@moothall/infrastructure';
import type { BackupFolders } from '../backup/backup-folders';
import { storageFolder } from '../backup/manifest';
import type { Children } from './children';
import { FolderSnapshot } from './folder-snapshot';

interface Server {
  children: Children;
  mongodbUri: string;
  /** Names of its databases begin with it. */
  prefix: string;
  folders: BackupFolders;
  /** A folder that nobody else uses. */
  keptFolder: string;
}

/** Objects of git are found by refs, and these are put back; processes that read them look at their files. */
const isObjects = (folder: string): boolean => /\.git\/objects(\/|$)/.test(folder);

/** Everything of a server as it is at one moment, to have it so again in a moment, while its processes run on. */
export class Reset {
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    private readonly documents: DatabaseSnapshot,
    private readonly folders: FolderSnapshot[],
  ) {}

  /** Keeps how it is once all is done that follows from what happened so far. */
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

  /** One after the other. @throws Error when something under way does not end; nothing is changed then */
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

/** Of a storage only the repositories: what else is there is its process's. Host keys stay. */
function foldersOf({ ssh: _, ...folders }: BackupFolders): [string, string][] {
  return Object.entries(folders).map(([name, folder]) => [
    name,
    name.startsWith(`${storageFolder}/`) ? path.join(folder, '@hashed') : folder,
  ]);
}
