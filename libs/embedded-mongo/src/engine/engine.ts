import { join } from 'node:path';
import { Index } from '../index/index-spec';
import type { Log } from '../log';
import { clearScratch, type OpenScratch, ScratchFile } from '../spill/scratch-file';
import { Catalog } from '../storage/catalog';
import { ABSENT_ID, Collection } from '../storage/collection';
import { PeriodicJobRunner } from '../storage/garbage-remover';
import { Store } from '../storage/store';
import type { EngineOptions } from './options';
import { ScanLog } from './scan-log';

const silentObserver = { countChanged: () => undefined, recordChanged: () => undefined };

/** The folder's data and its catalog: queries read them and writes change them. */
export class Engine {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly garbageRemover: PeriodicJobRunner;
  readonly scanLog: ScanLog;

  /** Creates a file for a sort or group that exceeds the memory. */
  readonly openScratch: OpenScratch;

  constructor(readonly options: EngineOptions) {
    this.store = Store.open(options.dbPath, options);
    const scratch = join(options.dbPath, 'scratch');
    clearScratch(scratch);
    this.openScratch = () => ScratchFile.open(scratch);
    this.catalog = new Catalog(this.store);
    this.garbageRemover = new PeriodicJobRunner(this.store, this.catalog, options.log);
    this.scanLog = new ScanLog(options.log, options.onScan);
    this.garbageRemover.wake();
  }

  get log(): Log {
    return this.options.log;
  }

  /** Replaces a namespace that does not exist, so that a query on it is still checked. It is always empty. */
  emptyCollection(namespace: string): Collection {
    const spec = { v: 2, key: { _id: 1 }, name: '_id_' };
    const index = new Index({ id: 0, spec, multikey: [false], truncated: false, ready: true });
    return new Collection(this.store, ABSENT_ID, namespace, {}, [index], silentObserver);
  }

  async close(): Promise<void> {
    await this.garbageRemover.stop();
    await this.store.close();
  }
}
