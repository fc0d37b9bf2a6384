import { type Connection, createConnection } from 'mongoose';

/** Ways in which a database fails one command, and clients have to hear of it or get over it. */
export const databaseFaults = {
  'full disk': { errorCode: 14031 },
  'closed connection': { closeConnection: true },
  'no longer primary': { errorCode: 10107 },
  'shutting down': { errorCode: 11600 },
  slow: { blockConnection: true, blockTimeMS: 40 },
} as const;

export type DatabaseFault = keyof typeof databaseFaults;

/** What services send; the fail point leaves signing in, cursors' ends and indexes alone. */
const commands = ['find', 'insert', 'update', 'delete', 'findAndModify', 'aggregate', 'count', 'distinct', 'getMore'];

/** MongoDB's `failCommand` fail point, for the commands of one service. @see libs/embedded-mongo */
export class FailPoint {
  private failedBefore = 0;

  private constructor(
    private readonly connection: Connection,
    private readonly service: string,
  ) {}

  static async open(mongodbUri: string, service: string): Promise<FailPoint> {
    const connection = await createConnection(mongodbUri, { dbName: 'admin', appName: 'faults' }).asPromise();
    const point = new FailPoint(connection, service);
    await point.clear();
    return point;
  }

  /** From now on the command after `skip` others fails, once. */
  async set(fault: DatabaseFault, skip: number): Promise<void> {
    const data = { failCommands: commands, appName: this.service, ...databaseFaults[fault] };
    await this.configure({ skip, times: 1 }, data);
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
