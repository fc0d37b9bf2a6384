import mongoose, { type Connection, Schema, Types } from 'mongoose';
import { TestServer } from './test-server';

/**
 * Mongoose features on top of single commands: discriminators, versions, bulk saves, references, index
 * synchronization.
 */

let server: TestServer;
let connection: Connection;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  connection = await mongoose.createConnection(server.uri, { dbName: `models${++name}` }).asPromise();
});
afterEach(() => connection.close());

describe('discriminators', () => {
  function events() {
    const Event = connection.model('Event', new Schema({ at: Date }, { discriminatorKey: 'kind' }));
    const Push = Event.discriminator('Push', new Schema({ ref: { type: String, required: true } }));
    const Comment = Event.discriminator(
      'Comment',
      new Schema({ text: String, replies: [{ text: String }] }),
      'comment',
    );
    return { Event, Push, Comment };
  }

  test('share a collection and keep their type', async () => {
    const { Event, Push, Comment } = events();
    await Push.create({ ref: 'main' });
    await Comment.create({ text: 'hello' });
    await Event.create({ at: new Date(0) });
    expect((await Event.find().sort({ _id: 1 })).map((each) => (each.constructor as typeof Event).modelName)).toEqual([
      'Push',
      'Comment',
      'Event',
    ]);
    expect(await Push.countDocuments()).toBe(1);
    expect((await Comment.findOne())!.text).toBe('hello');
    expect(await Comment.updateMany({}, { $push: { replies: { text: 'r' } } })).toMatchObject({ modifiedCount: 1 });
    expect(await Push.deleteMany()).toMatchObject({ deletedCount: 1 });
    expect(await Event.countDocuments()).toBe(2);
    expect(await Comment.aggregate([{ $unwind: '$replies' }, { $count: 'n' }])).toEqual([{ n: 1 }]);
  });

  test('of array elements', async () => {
    const shape = new Schema({}, { discriminatorKey: 'kind', _id: false });
    const drawing = new Schema({ shapes: [shape] });
    const shapes = drawing.path<Schema.Types.DocumentArray>('shapes');
    shapes.discriminator('circle', new Schema({ radius: Number }, { _id: false }));
    shapes.discriminator('square', new Schema({ side: Number }, { _id: false }));
    const Drawing = connection.model('Drawing', drawing);
    await Drawing.create({
      shapes: [
        { kind: 'circle', radius: 2 },
        { kind: 'square', side: 3 },
      ] as never,
    });
    await Drawing.updateOne({ 'shapes.kind': 'square' }, { $set: { 'shapes.$.side': 5 } } as never);
    expect((await Drawing.findOne().lean())!.shapes).toEqual([
      { kind: 'circle', radius: 2 },
      { kind: 'square', side: 5 },
    ]);
  });
});

describe('versions', () => {
  test('of arrays: a change by position fails after another writer moved them', async () => {
    const List = connection.model('List', new Schema({ items: [{ n: Number }] }));
    const { _id } = await List.create({ items: [{ n: 1 }, { n: 2 }, { n: 3 }] });
    const [mine, theirs] = await Promise.all([List.findById(_id), List.findById(_id)]);
    theirs!.items.pull(theirs!.items[0]!._id);
    await theirs!.save();
    mine!.items[2]!.n = 30;
    mine!.markModified('items');
    await expect(mine!.save()).rejects.toThrow(mongoose.Error.VersionError);
    expect((await List.findById(_id).lean())!.items.map(({ n }) => n)).toEqual([2, 3]);
  });

  test('under another key, and none at all', async () => {
    const Named = connection.model(
      'Named',
      new Schema({ a: Number }, { versionKey: 'revision', optimisticConcurrency: true }),
    );
    const named = await Named.create({ a: 1 });
    named.a = 2;
    await named.save();
    expect(await Named.findOne().lean()).toMatchObject({ a: 2, revision: 1 });
    const Bare = connection.model('Bare', new Schema({ a: Number }, { versionKey: false }));
    await Bare.create({ a: 1 });
    expect(await Bare.findOne().select('-_id').lean()).toEqual({ a: 1 });
  });

  test('saving a deleted document is an error', async () => {
    const Gone = connection.model('Gone', new Schema({ a: Number }));
    const gone = await Gone.create({ a: 1 });
    await Gone.deleteOne({ _id: gone._id });
    gone.a = 2;
    await expect(gone.save()).rejects.toThrow(mongoose.Error.DocumentNotFoundError);
  });
});

describe('bulk', () => {
  const schema = new Schema({ n: { type: Number, unique: true }, tags: [String] }, { timestamps: true });

  test('bulkSave writes new and changed documents, with timestamps', async () => {
    const Item = connection.model('Item', schema);
    await Item.init();
    const old = await Item.create({ n: 1 });
    const before = old.updatedAt.getTime();
    old.tags.push('a');
    await Item.bulkSave([old, new Item({ n: 2 }), new Item({ n: 3, tags: ['b'] })]);
    expect(await Item.countDocuments()).toBe(3);
    const stored = await Item.findOne({ n: 1 });
    expect(stored!.tags).toEqual(['a']);
    expect(stored!.updatedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(await Item.countDocuments({ createdAt: { $exists: true } })).toBe(3);
  });

  test('bulkWrite stamps upserts, and returns the duplicates', async () => {
    const Item = connection.model('Item', schema);
    await Item.init();
    const result = await Item.bulkWrite(
      [
        { insertOne: { document: { n: 1 } } },
        { updateOne: { filter: { n: 2 }, update: { $addToSet: { tags: 'x' } }, upsert: true } },
        { insertOne: { document: { n: 1 } } },
        { replaceOne: { filter: { n: 3 }, replacement: { n: 3 }, upsert: true } },
        { deleteOne: { filter: { n: 4 } } },
      ] as never,
      { ordered: false },
    ).catch((error) => error);
    expect(result.code).toBe(11000);
    expect(result.result).toMatchObject({ insertedCount: 1, upsertedCount: 2 });
    expect((await Item.findOne({ n: 2 }))!.createdAt).toBeInstanceOf(Date);
  });

  test('insertMany unordered stores the valid documents', async () => {
    const Item = connection.model('Item', schema);
    await Item.init();
    await Item.insertMany([{ n: 1 }, { n: 'no number' }, { n: 2 }, { n: 1 }] as never, { ordered: false }).catch(
      (error) => expect(error.code).toBe(11000),
    );
    expect((await Item.find().sort({ n: 1 })).map(({ n }) => n)).toEqual([1, 2]);
  });
});

describe('references', () => {
  test('populate: arrays, nested, virtual, filtered, counted, by another field and by refPath', async () => {
    const User = connection.model(
      'User',
      new Schema({ name: String, team: { type: Schema.Types.ObjectId, ref: 'Team' } }),
    );
    const Team = connection.model('Team', new Schema({ name: String }));
    const article = new Schema({
      title: String,
      authors: [{ type: Schema.Types.ObjectId, ref: 'User' }],
      on: { kind: String, id: { type: Schema.Types.ObjectId, refPath: 'on.kind' } },
    });
    article.virtual('comments', { ref: 'Comment', localField: 'title', foreignField: 'article' });
    article.virtual('commentCount', { ref: 'Comment', localField: 'title', foreignField: 'article', count: true });
    const Article = connection.model('Article', article);
    const Comment = connection.model('Comment', new Schema({ article: String, text: String, likes: Number }));

    const team = await Team.create({ name: 'core' });
    const [ann, bob] = await User.create([{ name: 'ann', team: team._id }, { name: 'bob' }]);
    await Article.create({ title: 'one', authors: [bob!._id, ann!._id], on: { kind: 'Team', id: team._id } });
    await Comment.create([
      { article: 'one', text: 'low', likes: 1 },
      { article: 'one', text: 'high', likes: 9 },
    ]);
    const found = await Article.findOne()
      .populate<{ authors: { name: string; team: { name: string } | null }[] }>({ path: 'authors', populate: 'team' })
      .populate<{ comments: { text: string }[] }>({ path: 'comments', match: { likes: { $gt: 5 } } })
      .populate<{ commentCount: number }>('commentCount')
      .populate<{ on: { id: { name: string } } }>('on.id');
    expect(found!.authors.map((author) => [author.name, author.team?.name])).toEqual([
      ['bob', undefined],
      ['ann', 'core'],
    ]);
    expect(found!.comments.map(({ text }) => text)).toEqual(['high']);
    expect(found!.commentCount).toBe(2);
    expect(found!.on.id.name).toBe('core');
  });
});

describe('types', () => {
  test('are stored and read unchanged', async () => {
    const Typed = connection.model(
      'Typed',
      new Schema({
        decimal: Schema.Types.Decimal128,
        big: BigInt,
        bytes: Buffer,
        uuid: Schema.Types.UUID,
        map: { type: Map, of: { n: Number } },
        mixed: Schema.Types.Mixed,
        date: Date,
        double: Schema.Types.Double,
        int: Schema.Types.Int32,
      }),
    );
    const given = {
      decimal: Types.Decimal128.fromString('1.50'),
      big: 9007199254740993n,
      bytes: Buffer.from([0, 255, 128]),
      uuid: new Types.UUID('1b4e28ba-2fa1-41d2-883f-0016d3cca427'),
      map: { a: { n: 1 } },
      mixed: { deep: [1, { x: null }] },
      date: new Date(1234),
      double: 2,
      int: 7,
    };
    const { _id } = await Typed.create(given as never);
    const found = (await Typed.findById(_id))!;
    expect(String(found.decimal)).toBe('1.50');
    expect(found.big).toBe(9007199254740993n);
    expect(Buffer.from(found.bytes!)).toEqual(given.bytes);
    expect(String(found.uuid)).toBe(String(given.uuid));
    expect(found.map!.get('a')!.n).toBe(1);
    expect(found.mixed).toEqual(given.mixed);
    expect(found.date).toEqual(given.date);
    expect(await Typed.countDocuments({ uuid: given.uuid, bytes: given.bytes, big: given.big })).toBe(1);
    expect(await Typed.countDocuments({ double: { $type: 'double' }, int: { $type: 'int' } })).toBe(1);
  });
});

describe('indexes and collections', () => {
  test('syncIndexes creates missing indexes and drops others', async () => {
    const First = connection.model(
      'Synced',
      new Schema({ a: Number, b: String }).index({ a: 1 }).index({ b: 1 }, { sparse: true }),
    );
    await First.init();
    connection.deleteModel('Synced');
    const schema = new Schema({ a: Number, b: String, c: Date });
    schema.index({ a: 1 }).index({ b: 1 }, { unique: true }).index({ c: 1 }, { expireAfterSeconds: 60 });
    const Second = connection.model('Synced', schema, undefined, { overwriteModels: true } as never);
    expect((await Second.diffIndexes()).toDrop).toEqual(['b_1']);
    expect(await Second.syncIndexes()).toEqual(['b_1']);
    const listed = await Second.listIndexes();
    expect(listed.map((index) => index.name).sort()).toEqual(['_id_', 'a_1', 'b_1', 'c_1']);
    expect(listed.find((index) => index.name === 'c_1')).toMatchObject({ expireAfterSeconds: 60 });
    expect(await Second.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
  });

  test('createCollection accepts a collation and a validator', async () => {
    const schema = new Schema({ name: String }, { collation: { locale: 'en', strength: 2 } });
    const Folded = connection.model('Folded', schema);
    await Folded.createCollection({ validator: { name: { $type: 'string' } } });
    await Folded.create({ name: 'One' });
    expect(await Folded.countDocuments({ name: 'ONE' })).toBe(1);
    await expect(Folded.collection.insertOne({ name: 5 })).rejects.toMatchObject({ code: 121 });
    expect((await connection.listCollections()).map((each) => each.name)).toContain('foldeds');
  });

  test('a capped collection is refused, not created without its cap', async () => {
    const Capped = connection.model('Capped', new Schema({ a: Number }, { capped: { size: 1024 }, autoCreate: false }));
    await expect(Capped.createCollection()).rejects.toMatchObject({ code: 115 });
  });
});

describe('reading', () => {
  test('cursors: eachAsync, of aggregates, in batches', async () => {
    const Row = connection.model('Row', new Schema({ n: Number }));
    await Row.insertMany(Array.from({ length: 500 }, (_, n) => ({ n })));
    let sum = 0;
    await Row.find()
      .cursor({ batchSize: 50 })
      .eachAsync(
        (rows) => {
          for (const row of rows) sum += row.n!;
        },
        { batchSize: 30, parallel: 4 },
      );
    expect(sum).toBe((499 * 500) / 2);
    const even: number[] = [];
    for await (const row of Row.aggregate([{ $match: { n: { $mod: [2, 0] } } }, { $sort: { n: -1 } }]).cursor({
      batchSize: 20,
    }))
      even.push(row.n);
    expect(even).toHaveLength(250);
    expect(even[0]).toBe(498);
    await expect(Row.findOne({ n: -1 }).orFail()).rejects.toThrow(mongoose.Error.DocumentNotFoundError);
    const page = Row.find().where('n').gte(10).lt(20).sort('-n').skip(2).limit(3).collation({ locale: 'en' });
    expect((await page.lean()).map(({ n }) => n)).toEqual([17, 16, 15]);
  });

  test('findOneAnd…: replaced, deleted, raw results, array filters', async () => {
    const Doc = connection.model('Doc', new Schema({ a: Number, list: [{ n: Number, done: Boolean }] }));
    const { _id } = await Doc.create({ a: 1, list: [{ n: 1 }, { n: 5 }] });
    const updated = await Doc.findOneAndUpdate(
      { _id },
      { $set: { 'list.$[large].done': true } },
      { arrayFilters: [{ 'large.n': { $gt: 3 } }], returnDocument: 'after', includeResultMetadata: true },
    );
    expect(updated.lastErrorObject).toMatchObject({ n: 1, updatedExisting: true });
    expect(updated.value!.list.map(({ done }) => done)).toEqual([undefined, true]);
    expect(await Doc.findOneAndReplace({ _id }, { a: 2 }, { returnDocument: 'after' }).lean()).toMatchObject({
      a: 2,
      list: [],
    });
    expect((await Doc.findByIdAndDelete(_id))!.a).toBe(2);
    expect(await Doc.findByIdAndUpdate(_id, { a: 3 })).toBeNull();
  });

  test('a change stream fails with words, instead of waiting for ever', async () => {
    const Watched = connection.model('Watched', new Schema({ a: Number }));
    await Watched.init();
    const stream = Watched.watch();
    const failure = await new Promise((resolve) => stream.on('error', resolve));
    expect(failure).toMatchObject({ code: 40573 });
    await stream.close().catch(() => undefined);
  });
});

test('validators of a schema run before anything is sent, unique indexes after', async () => {
  const schema = new Schema({
    email: { type: String, required: true, match: /@/, unique: true },
    age: { type: Number, min: 0 },
  });
  const Person = connection.model('Person', schema);
  await Person.init();
  await expect(Person.create({ email: 'none' })).rejects.toThrow(mongoose.Error.ValidationError);
  await expect(Person.updateOne({}, { age: -1 }, { runValidators: true })).rejects.toThrow(
    mongoose.Error.ValidationError,
  );
  await Person.create({ email: 'a@b', age: 1 });
  await expect(Person.create({ email: 'a@b' })).rejects.toMatchObject({ code: 11000, keyValue: { email: 'a@b' } });
  await expect(Person.updateOne({ email: 'a@b' }, { $set: { age: 'many' } })).rejects.toThrow(mongoose.Error.CastError);
});

test('a session without a transaction is accepted by every operation', async () => {
  const Thing = connection.model('Thing', new Schema({ a: Number }));
  const session = await connection.startSession();
  await Thing.create([{ a: 1 }], { session });
  expect(await Thing.countDocuments({}).session(session)).toBe(1);
  expect(await Thing.findOneAndUpdate({}, { $inc: { a: 1 } }, { session, returnDocument: 'after' })).toMatchObject({
    a: 2,
  });
  await session.endSession();
});
