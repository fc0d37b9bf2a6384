import { createHash } from 'node:crypto';
import { insertAsStored } from '@moothall/infrastructure';
import { mongo } from 'mongoose';

const { BSON } = mongo;
const day = 24 * 60 * 60 * 1000;

/** Three batches. */
export const thingCount = 2500;

/**
 * Everything that a database can contain: types, documents that JavaScript would serialize differently, indexes,
 * options.
 */
export async function fill(client: mongo.MongoClient): Promise<void> {
  const [one, two] = [client.db('moothall_one'), client.db('moothall_two')];
  const things = one.collection('things');
  await things.insertMany(
    Array.from({ length: thingCount }, (_, number) => ({
      number,
      slot: number % 2 ? { number } : undefined,
      tags: ['a', number],
    })),
    { ignoreUndefined: true },
  );
  await things.createIndexes([
    { key: { number: 1 }, unique: true },
    { key: { tags: 1, number: -1 }, hidden: true },
    { key: { slot: 1 }, unique: true, sparse: true },
    { key: { 'slot.number': 1 }, partialFilterExpression: { number: { $gt: 5 } } },
    { key: { name: 1 }, name: 'by name', collation: { locale: 'en', strength: 2 } },
  ]);
  await insertAsStored(one, 'odd', odd());
  const expiring = one.collection('expiring');
  await expiring.insertMany([{ at: new Date(Date.now() - day) }, { at: new Date(Date.now() + day) }]);
  await expiring.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
  await two.createCollection('collated', { collation: { locale: 'de' } });
  const strict = two.collection('strict');
  await strict.insertOne({ is: 'older than the rule' });
  await two.command({ collMod: 'strict', validator: { is: { $type: 'number' } }, validationLevel: 'moderate' });
}

function odd(): Uint8Array[] {
  const { Double, Long, Decimal128, Binary, BSONRegExp, Code, MaxKey, MinKey, Timestamp, ObjectId } = mongo;
  const kinds = {
    _id: 'kinds',
    numbers: [new Double(1), new Double(-0), new Double(Number.NaN), 1, Long.MAX_VALUE, Decimal128.fromString('1.10')],
    others: [new Binary(Buffer.from([0, 255]), 4), new BSONRegExp('a.b', 'i'), new Code('f()', { f: 1 }), 'a\0b', null],
    ends: [new MinKey(), new MaxKey(), new Timestamp({ t: 1, i: 2 }), new ObjectId(), true, new Date(0)],
  };
  const later = BSON.serialize({ _id: 'later', at: new Date(1) });
  // A date outside of the range of JavaScript.
  Buffer.from(later.buffer, later.byteOffset, later.length).writeBigInt64LE(2n ** 62n, later.length - 9);
  return [
    BSON.serialize(kinds),
    later,
    BSON.serialize(
      new Map<string, unknown>([
        ['_id', 'order'],
        ['10', 1],
        ['9', 2],
        ['b', 3],
        ['1', 4],
      ]),
    ),
    BSON.serialize({
      _id: 'reference',
      in: new Map([
        ['$id', 1 as unknown],
        ['$ref', 'things'],
        ['more', 2],
      ]),
    }),
    BSON.serialize({ _id: 'large', text: 'x'.repeat(5 * 1024 ** 2) }),
    BSON.serialize({ _id: new Long(7), text: 'by a number' }),
    BSON.serialize({ _id: { a: 1, b: [2] } }),
  ];
}

/** The whole server, without the record of the move. */
export async function snapshot(uri: string): Promise<Record<string, unknown>> {
  const client = new mongo.MongoClient(uri);
  try {
    const found: Record<string, unknown> = {};
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((one) => !['admin', 'config', 'local', 'moothall_move'].includes(one.name)))
      for (const info of (await client.db(name).listCollections().toArray()) as mongo.CollectionInfo[])
        found[`${name}.${info.name}`] = await describeCollection(client.db(name), info);
    return found;
  } finally {
    await client.close();
  }
}

async function describeCollection(database: mongo.Db, { name, options }: mongo.CollectionInfo) {
  const collection = database.collection(name);
  const documents = (await collection.find({}, { raw: true }).toArray()) as unknown as Uint8Array[];
  const sums = documents.map((document) => createHash('sha256').update(document).digest('hex')).sort();
  const indexes = (await collection.listIndexes().toArray()).map((index) => JSON.stringify(index)).sort();
  return { documents: sums.length, content: createHash('sha256').update(sums.join()).digest('hex'), indexes, options };
}
