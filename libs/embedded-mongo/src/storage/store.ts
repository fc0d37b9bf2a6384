import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MongoError } from '../errors';
import { DiskSpace } from './disk-space';
import { DATA_FILE, Environment, type EnvironmentOptions } from './environment';
import { FolderLock } from './folder-lock';
import { Part } from './part';
import { Writer } from './writer';

/** Raised when what lies on disk means something else than before; a server refuses folders of a newer one. */
const FORMAT_VERSION = 1;
const FORMAT_KEY = Buffer.from('format');
/** What compaction makes in the data folder; one that a kill left behind is nobody's. */
export const COMPACTING = 'compacting-';

export interface StoreOptions extends EnvironmentOptions {
  /** Called if the disk could not be written; see `Writer.apply`. */
  onFailure(error: Error): void;
}

/** The databases of one folder, opened by this process alone. */
export class Store {
  readonly writer: Writer;
  readonly documents: Part;
  readonly entries: Part;
  readonly catalog: Part;
  private maintaining: Promise<unknown> | undefined;

  private constructor(
    readonly folder: string,
    private readonly lock: FolderLock,
    public environment: Environment,
    onFailure: (error: Error) => void,
  ) {
    this.documents = new Part(environment.documents);
    this.entries = new Part(environment.entries);
    this.catalog = new Part(environment.catalog);
    const transaction = (run: () => void): Promise<void> => this.environment.transaction(run);
    this.writer = new Writer(transaction, onFailure, new DiskSpace(folder));
  }

  /**
   * @throws Error with one clear line when the folder cannot be used: locked, not writable, of a newer format
   */
  static open(folder: string, { onFailure, fsync }: StoreOptions): Store {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = FolderLock.take(folder, 'server.lock');
    try {
      for (const name of readdirSync(folder)) {
        if (name.startsWith(COMPACTING)) rmSync(join(folder, name), { recursive: true, force: true });
      }
      const environment = new Environment(folder, { fsync });
      checkFormat(environment);
      return new Store(folder, lock, environment, onFailure);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get parts(): Part[] {
    return [this.documents, this.entries, this.catalog];
  }

  /** Bytes of disk in use by all databases, with what is free within the file. */
  get sizeBytes(): number {
    return statSync(join(this.folder, DATA_FILE)).size;
  }

  /** Puts another environment beneath the parts; nothing may be under way in the writer. @returns the former */
  switchTo(environment: Environment): Environment {
    const former = this.environment;
    this.environment = environment;
    this.documents.switchTo(environment.documents);
    this.entries.switchTo(environment.entries);
    this.catalog.switchTo(environment.catalog);
    return former;
  }

  /**
   * Runs what copies the file: one such work at a time, and the store is not closed under it.
   * @throws ConflictingOperationInProgress (117)
   */
  async maintain<T>(work: () => Promise<T>): Promise<T> {
    if (this.maintaining !== undefined) {
      throw new MongoError('ConflictingOperationInProgress', 'a backup or compaction is under way already');
    }
    const working = work();
    this.maintaining = working.catch(() => undefined);
    try {
      return await working;
    } finally {
      this.maintaining = undefined;
    }
  }

  /** Waits for what is being written or copied, then gives the folder back. */
  async close(): Promise<void> {
    await this.maintaining;
    await this.writer.drain();
    await this.environment.close();
    this.lock.release();
  }
}

function checkFormat({ catalog }: Environment): void {
  const stored = catalog.get(FORMAT_KEY);
  if (stored === undefined) catalog.putSync(FORMAT_KEY, Buffer.from(String(FORMAT_VERSION)));
  else if (Number(stored.toString()) !== FORMAT_VERSION) {
    throw new Error(`the folder has format ${stored.toString()}, this server reads format ${FORMAT_VERSION}`);
  }
}
