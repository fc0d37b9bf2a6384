import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, Schema } from 'mongoose';
import { Indexes } from '../src';

let infrastructure: TestInfrastructure;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure?.stop());

interface Page {
  title: string;
  size: number;
}

/** A collection that contains documents before its indexes are built. */
async function connectionTo(name: string, documents: Partial<Page>[]): Promise<Connection> {
  const dbName = `${infrastructure.mongodbPrefix}_${name}`;
  const options = { dbName, autoIndex: false };
  const connection = await createConnection(infrastructure.mongodbUri, options).asPromise();
  if (documents.length > 0) await connection.collection('pages').insertMany(documents);
  return connection;
}

function define(connection: Connection, size: number): void {
  const schema = new Schema<Page>({ title: String, size: Number }, { collection: 'pages' });
  schema.index({ title: 1 }, { unique: true });
  schema.index({ size: 1 }, { expireAfterSeconds: size });
  connection.model('Page', schema);
}

// Services answered while their indexes were being built, and did not notice failures.
describe('indexes', () => {
  it('exist before the service is ready', async () => {
    const connection = await connectionTo('standing', []);
    define(connection, 60);
    const indexes = new Indexes(connection);
    await indexes.onModuleInit();
    const names = (await connection.collection('pages').indexes()).map(({ name }) => name);
    expect(names).toEqual(['_id_', 'title_1', 'size_1']);
    expect(indexes.missing).toEqual([]);
    await indexes.onModuleInit();
    await connection.close();
  });

  it('that are unique prevent its start with a reason if they cannot be built', async () => {
    const connection = await connectionTo('twice', [{ title: 'same' }, { title: 'same' }]);
    define(connection, 60);
    await expect(new Indexes(connection).onModuleInit()).rejects.toThrow(
      /unique index {"title":1} of pages cannot be built: .*E11000/,
    );
    await connection.close();
  });

  it('that only make it fast are logged', async () => {
    const connection = await connectionTo('slow', [{ title: 'one', size: [1, 2] as never }]);
    const schema = new Schema<Page>({ title: [String], size: [Number] } as never, { collection: 'pages' });
    schema.index({ title: 1, size: 1 });
    connection.model('Page', schema);
    // An index on two arrays of one document is not possible.
    await connection.collection('pages').updateMany({}, { $set: { title: ['a', 'b'] } });
    const indexes = new Indexes(connection);
    await indexes.onModuleInit();
    expect(indexes.missing).toEqual([
      { collection: 'pages', key: '{"title":1,"size":1}', reason: expect.stringMatching(/parallel arrays/) },
    ]);
    await connection.close();
  });

  it('that an earlier version built differently are rebuilt', async () => {
    const connection = await connectionTo('otherwise', [{ title: 'one', size: 1 }]);
    const pages = connection.collection('pages');
    await pages.createIndexes([{ key: { size: 1 } }, { key: { title: 1 } }]);
    define(connection, 60);
    const indexes = new Indexes(connection);
    await indexes.onModuleInit();
    expect(indexes.missing).toEqual([]);
    expect(
      (await pages.indexes()).map(({ name, unique, expireAfterSeconds }) => [name, unique, expireAfterSeconds]),
    ).toEqual([
      ['_id_', undefined, undefined],
      ['title_1', true, undefined],
      ['size_1', undefined, 60],
    ]);
    await connection.close();
  });
});
