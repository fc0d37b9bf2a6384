import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';

export type Bytes = Database<Buffer, Uint8Array>;

/** The file of an environment in its folder. */
export const DATA_FILE = 'data.mdb';

export interface EnvironmentOptions {
  /** If false, acknowledged writes survive the end of this process, but not a crash of the machine. Default true. */
  fsync?: boolean | undefined;
}

/** One file of lmdb with its three databases, open in this process. */
export class Environment {
  private readonly root: RootDatabase<Buffer, Uint8Array>;
  readonly documents: Bytes;
  readonly entries: Bytes;
  readonly catalog: Bytes;

  constructor(
    folder: string,
    readonly options: EnvironmentOptions,
  ) {
    this.root = open<Buffer, Uint8Array>({
      path: folder,
      // Also if its name contains a dot.
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      maxDbs: 8,
      // A commit returns when its bytes are on disk, and an acknowledgement waits for the commit.
      overlappingSync: false,
      noSync: options.fsync === false,
    });
    const part = (name: string): Bytes => this.root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' });
    this.documents = part('documents');
    this.entries = part('entries');
    this.catalog = part('catalog');
  }

  /** @returns when the writes of `run` are on disk */
  async transaction(run: () => void): Promise<void> {
    await this.root.transaction(run);
  }

  /** Later reads see what is on disk now; otherwise they may see the state earlier in this turn. */
  renewReads(): void {
    this.root.resetReadTxn();
  }

  /**
   * Writes a snapshot into an empty folder, without the free pages of this file, in another thread: others read and
   * write meanwhile.
   */
  async copyTo(folder: string): Promise<void> {
    await this.root.backup(folder, true);
    await flush(join(folder, DATA_FILE));
  }

  async close(): Promise<void> {
    await this.root.close();
  }
}

/** Resolves when a file, or which files are in a folder, is on disk. */
export async function flush(path: string): Promise<void> {
  const handle = await openFile(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
