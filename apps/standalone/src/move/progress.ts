import { mongo } from 'mongoose';
import type { Content } from './content';
import { MoveError, withoutPasswords } from './move-error';

/** A database beside the moved ones with the progress of the move; it may be deleted afterwards. */
export const recordDatabase = 'moothall_move';
const itsOwn = ['admin', 'config', 'local', recordDatabase];

/** A collection of the data folder. The server generated its id, so it identifies the folder. */
export interface Origin {
  namespace: string;
  id: string;
}

/** The record of a move, written to the target first. */
export interface MoveRecord {
  _id: 'move';
  /** Data folder that was moved. */
  dataFolder: string;
  origins: Origin[];
  startedAt: Date;
  /** Set once all documents are copied and verified. */
  contents?: (Content & { namespace: string })[];
  /** Set once the indexes exist, too. */
  finishedAt?: Date;
}

export const databasesOf = async (client: mongo.MongoClient): Promise<string[]> => {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name).filter((name) => !itsOwn.includes(name));
};

/** Progress of a move, stored in the target. */
export class Progress {
  private constructor(
    private readonly records: mongo.Collection<MoveRecord>,
    readonly state: MoveRecord,
  ) {}

  /**
   * Reads the record of an earlier run, or creates one.
   * @throws MoveError if the target contains something else
   */
  static async on(client: mongo.MongoClient, dataFolder: string, origins: Origin[]): Promise<Progress> {
    const records = client.db(recordDatabase).collection<MoveRecord>('moves');
    const earlier = await records.findOne({ _id: 'move' });
    const names = new Set(origins.map(({ namespace }) => databaseOf(namespace)));
    const others = (await databasesOf(client)).filter((name) => !earlier || !names.has(name));
    if (others[0] !== undefined)
      throw new MoveError(
        `The MongoDB already has a database ${others[0]}: use an empty server, or remove its databases.`,
      );
    if (earlier) return new Progress(records, requireSameOrigin(earlier, origins));
    const state: MoveRecord = { _id: 'move', dataFolder, origins, startedAt: new Date() };
    await records.insertOne(state, { writeConcern: { w: 'majority' } });
    return new Progress(records, state);
  }

  async note(more: Pick<MoveRecord, 'contents'> | Pick<MoveRecord, 'finishedAt'>): Promise<void> {
    await this.records.updateOne({ _id: 'move' }, { $set: more }, { writeConcern: { w: 'majority' } });
    Object.assign(this.state, more);
  }

  /** The error if source or target were used in between: only the operator knows which data to keep. */
  changed(what: string): MoveError {
    const names = new Set(this.state.origins.map(({ namespace }) => databaseOf(namespace)));
    const drop = [...names, recordDatabase].join(', ');
    return new MoveError(
      `${what} since the move began at ${this.state.startedAt.toISOString()}. To move anew, remove these databases from the MongoDB first: ${drop}.`,
    );
  }
}

const databaseOf = (namespace: string): string => namespace.slice(0, namespace.indexOf('.'));

function requireSameOrigin(earlier: MoveRecord, origins: readonly Origin[]): MoveRecord {
  const ids = new Map(origins.map(({ namespace, id }) => [namespace, id]));
  const shared = earlier.origins.filter(({ namespace }) => ids.has(namespace));
  if (shared.length > 0 && shared.every(({ namespace, id }) => ids.get(namespace) === id)) return earlier;
  throw new MoveError(`The MongoDB has data of another data folder, ${earlier.dataFolder}: use an empty server.`);
}

/** @throws MoveError for an invalid URI; mongo.MongoError if no server answers */
export async function connect(uri: string): Promise<mongo.MongoClient> {
  let client: mongo.MongoClient;
  try {
    client = new mongo.MongoClient(uri, { appName: 'moothall-move', serverSelectionTimeoutMS: 5_000 });
  } catch (error) {
    throw new MoveError(`This is no address of a MongoDB: ${withoutPasswords((error as Error).message)}`);
  }
  return client.connect();
}
