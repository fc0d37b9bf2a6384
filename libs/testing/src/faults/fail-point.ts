import { type Connection, createConnection } from 'mongoose';

/** Ways in which a database fails one command, which clients must report or survive. */
export const databaseFaults = {
  'full disk': { errorCode: 14031 },
  'closed connection': { closeConnection: true },
  'no longer primary': { errorCode: 10107 },
  'shutting down': { errorCode: 11600 },
  slow: { blockConnection: true, blockTimeMS: 40 },
  // Done by one server; replication is unknown.
  'not replicated': { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
} as const;

export type DatabaseFault = keyof typeof databaseFaults;

/** A failed read before the first write changes nothing, and reads after the last one do not change stored data. */
const commands = ['insert', 'update', 'delete', 'findAndModify'];

/** Commands that are selected more narrowly, if others may be running. */
interface Chosen {
  failCommands?: string[];
  /** `database.collection` */
  namespace?: string;
}

/** MongoDB's `failCommand` fail point. It applies to commands of all clients: under Jest drivers do not send their names. */
export class FailPoint {
  private failedBefore = 0;

  private constructor(readonly connection: Connection) {}

  static async open(mongodbUri: string): Promise<FailPoint> {
    const connection = await createConnection(mongodbUri, { dbName: 'admin' }).asPromise();
    const point = new FailPoint(connection);
    await point.clear();
    return point;
  }

  /** From now on the command after `skip` others fails, once. */
  async set(fault: DatabaseFault, skip: number, chosen: Chosen = {}): Promise<void> {
    await this.configure({ skip, times: 1 }, { failCommands: commands, ...chosen, ...databaseFaults[fault] });
  }

  /** @returns whether a command failed since it was set */
  async clear(): Promise<boolean> {
    const failed = await this.configure('off', {});
    const hasFailed = failed > this.failedBefore;
    this.failedBefore = failed;
    return hasFailed;
  }

  private async configure(mode: unknown, data: object): Promise<number> {
    const command = { configureFailPoint: 'failCommand', mode, data };
    return Number((await this.connection.getClient().db('admin').command(command)).count);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
