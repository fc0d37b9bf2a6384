import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MongoError } from '../errors';
import { DiskSpace } from './disk-space';
import { DATA_FILE, Environment, type EnvironmentOptions } from './environment';
import { FolderLock } from './folder-lock';
import { Part } from './part';
import { Writer } from './writer';

/** Incremented when the meaning of stored data changes; a server refuses folders of a newer version. */
const FORMAT_VERSION = 1;
const FORMAT_KEY = Buffer.from('format');
/** Temporary files of compaction in the data folder; those left by a kill are removed. */
export const COMPACTING = 'compacting-';

export interface StoreOptions extends EnvironmentOptions {
  /** Called if the disk could not be written; see `Writer.apply`. */
  onFailure(error: Error): void;
}

/** The databases of one folder, which only this process opens. */
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

  /** Disk space of all databases, including free space within the file. */
  get sizeBytes(): number {
    return statSync(join(this.folder, DATA_FILE)).size;
  }

  /** Replaces the environment below the parts; the writer must be idle. @returns the former */
  switchTo(environment: Environment): Environment {
    const former = this.environment;
    this.environment = environment;
    this.documents.switchTo(environment.documents);
    this.entries.switchTo(environment.entries);
    this.catalog.switchTo(environment.catalog);
    return former;
  }

  /**
   * Runs work that copies the file: one at a time, and the store is not closed meanwhile.
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

  /** Waits for running writes and copies, then releases the folder. */
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
