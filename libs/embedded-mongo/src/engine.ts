import { join } from 'node:path';
import { type Credentials, ScramSecret } from './auth/scram';
import { FailPoint } from './command/fail-point';
import { CursorTable } from './cursor/cursor-table';
import { Index } from './index/index-spec';
import type { Log } from './log';
import { type Scan, ScanLog } from './plan/scan-log';
import type { Client } from './protocol/client';
import { clearScratch, type OpenScratch, ScratchFile } from './spill/scratch-file';
import { Catalog } from './storage/catalog';
import { ABSENT_ID, Collection } from './storage/collection';
import { Store } from './storage/store';
import { Sweeper } from './storage/sweeper';
import { Expiry } from './write/expire-documents';

export interface EngineOptions {
  /** The folder that holds the data; made when missing. */
  dbPath: string;
  /** Bytes that one sort or group may take in memory; beyond, it uses the disk. */
  sortMemoryBytes: number;
  log: Log;
  /** Hears of queries that read a collection from end to end, each kind once: tests find missing indexes by it. */
  onScan?: (scan: Scan) => void;
  /** Asked of every client; absent where the socket's folder is the guard. */
  credentials?: Credentials;
  /**
   * Told when the disk could not be written. Nothing is written from then on, and what was answered is safe;
   * the process should end and be started again.
   */
  onFailure(error: Error): void;
}

const silentObserver = { countChanged: () => undefined, recordChanged: () => undefined };

/** Everything behind the commands: the folder's data, its catalog and the open cursors. */
export class Engine {
  readonly startedAt = new Date();
  readonly cursors = new CursorTable();
  readonly clients = new Set<Client>();
  readonly failPoint = new FailPoint();
  readonly store: Store;
  readonly catalog: Catalog;
  readonly sweeper: Sweeper;
  readonly expiry = new Expiry(this);
  readonly scanLog: ScanLog;
  readonly secret: ScramSecret | undefined;

  /** Makes a file for what a sort or group cannot hold in memory. */
  readonly openScratch: OpenScratch;

  constructor(readonly options: EngineOptions) {
    this.store = Store.open(options.dbPath, options.onFailure);
    const scratch = join(options.dbPath, 'scratch');
    clearScratch(scratch);
    this.openScratch = () => ScratchFile.open(scratch);
    this.catalog = new Catalog(this.store);
    this.sweeper = new Sweeper(this.store, this.catalog, options.log);
    this.scanLog = new ScanLog(options.log, options.onScan);
    this.secret = options.credentials && new ScramSecret(options.credentials);
    this.sweeper.wake();
    this.expiry.start();
  }

  get log(): Log {
    return this.options.log;
  }

  /** Stands in where a namespace does not exist, so that a query on it is still checked. Holds nothing, keeps nothing. */
  emptyCollection(namespace: string): Collection {
    const spec = { v: 2, key: { _id: 1 }, name: '_id_' };
    const index = new Index({ id: 0, spec, multikey: [false], truncated: false, ready: true });
    return new Collection(this.store, ABSENT_ID, namespace, {}, [index], silentObserver);
  }

  async close(): Promise<void> {
    this.cursors.close();
    await this.expiry.stop();
    await this.sweeper.stop();
    await this.store.close();
  }
}
