import type { Log } from '../log';
import type { EnvironmentOptions } from '../storage/environment';

/** A query that reads a collection from end to end. Fields are named, values are not. */
export interface Scan {
  namespace: string;
  /** How many there are to be read. */
  documents: number;
  /** Fields and operators, as `state, updatedAt $lt`; empty for all documents. */
  filter: string;
  sort: string[];
}

export interface EngineOptions extends EnvironmentOptions {
  /** The folder that holds the data; made when missing. */
  dbPath: string;
  /** The folder in which the command `backup` makes its copies; `backups` in the data folder unless given. */
  backupsPath?: string | undefined;
  /** Bytes that one sort or group may take in memory; beyond, it uses the disk. */
  sortMemoryBytes: number;
  log: Log;
  /** Called for queries that read a whole collection, once for each kind: tests find missing indexes by it. */
  onScan?: ((scan: Scan) => void) | undefined;
  /**
   * Called if the disk could not be written. Nothing is written from then on, and acknowledged writes are safe;
   * the process should end and be started again.
   */
  onFailure(error: Error): void;
}
