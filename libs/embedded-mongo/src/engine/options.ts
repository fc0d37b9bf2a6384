import type { Log } from '../log';
import type { EnvironmentOptions } from '../storage/environment';

/** A query that reads a collection from end to end. Fields are named, values are not. */
export interface Scan {
  namespace: string;
  /** The number of documents that are read. */
  documents: number;
  /** Fields and operators, as `state, updatedAt $lt`; empty for all documents. */
  filter: string;
  sort: string[];
}

export interface EngineOptions extends EnvironmentOptions {
  /** The data folder; created if missing. */
  dbPath: string;
  /** The folder for copies of the command `backup`; `backups` in the data folder by default. */
  backupsPath?: string | undefined;
  /** Bytes of memory for one sort or group; beyond, it uses the disk. */
  sortMemoryBytes: number;
  log: Log;
  /** Called for queries that read a whole collection, once for each kind: tests find missing indexes with it. */
  onScan?: ((scan: Scan) => void) | undefined;
  /**
   * Called if the disk could not be written. Nothing is written from then on, and acknowledged writes are stored; the
   * process should end and be restarted.
   */
  onFailure(error: Error): void;
}
