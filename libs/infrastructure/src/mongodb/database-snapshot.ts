import { BSON, type Db, MongoClient, type ObjectId } from 'mongodb';
import { insertAsStored } from './insert-as-stored';

/** Documents by their ids, each as the bytes of the database. */
type Documents = Map<string, { id: unknown; bytes: Uint8Array }>;

/** By namespace: database and collection. */
type Content = Map<string, { database: Db; collection: string; documents: Documents }>;

/** Rights of processes that run on. */
const leases = 'leases';
const counters = 'counters';
/** Ids of records have a counter by the name of their collection; numbers within a project or group have one for each. */
const ofRecordIds = /^\w+$/;

/** A snapshot of all databases of a server, which can be restored. */
export class DatabaseSnapshot {
  private constructor(
    private readonly client: MongoClient,
    private readonly prefix: string,
    private readonly kept: Content,
  ) {}

  /** @param prefix of the names of its databases */
  static async keep(uri: string, prefix: string): Promise<DatabaseSnapshot> {
    const client = await new MongoClient(uri).connect();
    return new DatabaseSnapshot(client, prefix, await readAll(client, prefix));
  }

  /** Nothing may write meanwhile. Ids that were assigned are not assigned again. */
  async putBack(): Promise<void> {
    const now = await readAll(this.client, this.prefix);
    const none: Documents = new Map();
    const namespaces = new Map([...now, ...this.kept]);
    await Promise.all(
      [...namespaces].map(async ([namespace, { database, collection }]) => {
        const before = this.kept.get(namespace)?.documents ?? none;
        await putBack(database, collection, before, now.get(namespace)?.documents ?? none);
      }),
    );
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

async function readAll(client: MongoClient, prefix: string): Promise<Content> {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  const ours = (databases as { name: string }[]).filter(({ name }) => name.startsWith(`${prefix}_`));
  const found = await Promise.all(ours.map(({ name }) => readDatabase(client.db(name))));
  return new Map(found.flat());
}

async function readDatabase(database: Db) {
  const listed = await database.listCollections({}, { nameOnly: true }).toArray();
  const names = listed.map(({ name }) => name).filter((name) => name !== leases && !name.startsWith('system.'));
  return Promise.all(
    names.map(async (collection) => {
      const documents = await readCollection(database, collection);
      return [`${database.databaseName}.${collection}`, { database, collection, documents }] as const;
    }),
  );
}

async function readCollection(database: Db, collection: string): Promise<Documents> {
  const read = database.collection(collection).find({}, { raw: true }) as unknown as AsyncIterable<Uint8Array>;
  const documents: Documents = new Map();
  for await (const bytes of read) {
    const { _id: id } = BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true });
    if (collection === counters && ofRecordIds.test(String(id))) continue;
    documents.set(Buffer.from(BSON.serialize({ id })).toString('latin1'), { id, bytes });
  }
  return documents;
}

async function putBack(database: Db, collection: string, before: Documents, now: Documents): Promise<void> {
  const unchanged = new Set<string>();
  const changed: unknown[] = [];
  for (const [key, { id, bytes }] of now) {
    const kept = before.get(key);
    if (kept && Buffer.compare(kept.bytes, bytes) === 0) unchanged.add(key);
    else changed.push(id);
  }
  const missing = [...before].filter(([key]) => !unchanged.has(key)).map(([, { bytes }]) => bytes);
  if (changed.length > 0) await database.collection(collection).deleteMany({ _id: { $in: changed as ObjectId[] } });
  if (missing.length > 0) await insertAsStored(database, collection, missing);
}
