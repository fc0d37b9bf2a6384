import { mkdirSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';
import { DiskSpace } from './disk-space';
import { FolderLock } from './folder-lock';
import { Writer } from './writer';

/** Raised when what lies on disk means something else than before; a server refuses folders of a newer one. */
const FORMAT_VERSION = 1;
const FORMAT_KEY = Buffer.from('format');

export type Bytes = Database<Buffer, Uint8Array>;

/** The databases of one folder, opened by this process alone. */
export class Store {
  readonly writer: Writer;

  private constructor(
    private readonly lock: FolderLock,
    private readonly root: RootDatabase<Buffer, Uint8Array>,
    readonly documents: Bytes,
    readonly entries: Bytes,
    readonly catalog: Bytes,
    onFailure: (error: Error) => void,
    space: DiskSpace,
  ) {
    this.writer = new Writer(root, onFailure, space);
  }

  /**
   * @param onFailure told when the disk could not be written; see `Writer.apply`
   * @throws Error with one clear line when the folder cannot be used: locked, not writable, of a newer format
   */
  static open(folder: string, onFailure: (error: Error) => void): Store {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = FolderLock.take(folder, 'server.lock');
    try {
      const root = open<Buffer, Uint8Array>({
        path: folder,
        encoding: 'binary',
        keyEncoding: 'binary',
        maxDbs: 8,
        // A commit returns when its bytes are on disk, and an acknowledgement waits for the commit.
        overlappingSync: false,
      });
      const part = (name: string): Bytes => root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' });
      const store = new Store(
        lock,
        root,
        part('documents'),
        part('entries'),
        part('catalog'),
        onFailure,
        new DiskSpace(folder),
      );
      store.checkFormat();
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private checkFormat(): void {
    const stored = this.catalog.get(FORMAT_KEY);
    if (stored === undefined) this.catalog.putSync(FORMAT_KEY, Buffer.from(String(FORMAT_VERSION)));
    else if (Number(stored.toString()) !== FORMAT_VERSION) {
      throw new Error(`the folder has format ${stored.toString()}, this server reads format ${FORMAT_VERSION}`);
    }
  }

  /** Bytes of disk in use by all databases. */
  get sizeBytes(): number {
    const { root } = this.root.getStats() as { root: { pageSize?: number; lastPageNumber?: number } };
    return (root?.pageSize ?? 4096) * (root?.lastPageNumber ?? 0);
  }

  /** Waits for what is being written, then gives the folder back. */
  async close(): Promise<void> {
    await this.writer.drain();
    await this.root.close();
    this.lock.release();
  }
}
