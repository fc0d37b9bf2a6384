import mongoose, { type Connection, Schema, Types } from 'mongoose';
import { TestServer } from './test-server';

/** Everyday use of Mongoose's models. */

let server: TestServer;
let connection: Connection;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  connection = await mongoose.createConnection(server.uri, { dbName: `mongoose${++name}` }).asPromise();
});
afterEach(() => connection.close());

const commentSchema = new Schema({ author: String, text: String, likes: { type: Number, default: 0 } });
const issueSchema = new Schema(
  {
    title: { type: String, required: true },
    iid: Number,
    project: { type: Schema.Types.ObjectId, ref: 'Project' },
    labels: [String],
    comments: [commentSchema],
    meta: { type: Map, of: String },
  },
  { timestamps: true, optimisticConcurrency: true },
);
issueSchema.index({ project: 1, iid: 1 }, { unique: true });
const projectSchema = new Schema({ path: { type: String, unique: true }, stars: Number });

function models() {
  return { Issue: connection.model('Issue', issueSchema), Project: connection.model('Project', projectSchema) };
}

test('init makes collections and indexes, twice without harm', async () => {
  const { Issue } = models();
  await Issue.init();
  await Issue.createCollection();
  await Issue.ensureIndexes();
  expect((await Issue.listIndexes()).map((index) => index.name)).toEqual(['_id_', 'project_1_iid_1']);
  expect(await Issue.syncIndexes()).toEqual([]);
});

test('a document is created, changed in its arrays and maps, and saved', async () => {
  const { Issue } = models();
  const issue = await Issue.create({
    title: 'one',
    labels: ['bug'],
    comments: [{ author: 'a', text: 'x' }],
    meta: { k: 'v' },
  });
  issue.labels.push('urgent');
  issue.comments.push({ author: 'b', text: 'y' });
  issue.comments[0]!.likes = 3;
  issue.meta!.set('second', 'w');
  await issue.save();
  issue.comments.pull(issue.comments[1]!._id);
  issue.labels.splice(0, 1);
  await issue.save();
  const stored = await Issue.findById(issue._id).lean();
  expect(stored).toMatchObject({
    labels: ['urgent'],
    comments: [{ author: 'a', likes: 3 }],
    meta: { k: 'v', second: 'w' },
  });
  expect(stored!.updatedAt!.getTime()).toBeGreaterThanOrEqual(stored!.createdAt!.getTime());
});

test('two writers of one version: the later save fails', async () => {
  const { Issue } = models();
  const { _id } = await Issue.create({ title: 'contended' });
  const [first, second] = await Promise.all([Issue.findById(_id), Issue.findById(_id)]);
  first!.title = 'first';
  await first!.save();
  second!.title = 'second';
  await expect(second!.save()).rejects.toThrow(mongoose.Error.VersionError);
  expect((await Issue.findById(_id))!.title).toBe('first');
});

test('a duplicate is an error with key and value', async () => {
  const { Project } = models();
  await Project.init();
  await Project.create({ path: 'a/b' });
  await expect(Project.create({ path: 'a/b' })).rejects.toMatchObject({
    code: 11000,
    keyValue: { path: 'a/b' },
    keyPattern: { path: 1 },
  });
});

test('populate finds referenced documents', async () => {
  const { Issue, Project } = models();
  const projects = await Project.create([{ path: 'p/1' }, { path: 'p/2' }]);
  await Issue.create(projects.map((project, iid) => ({ title: `issue ${iid}`, iid, project: project._id })));
  const found = await Issue.find().sort({ iid: 1 }).populate<{ project: { path: string } }>('project', 'path');
  expect(found.map(({ project }) => project.path)).toEqual(['p/1', 'p/2']);
});

test('findOneAndUpdate upserts with defaults, and counters never return a number twice', async () => {
  const Counter = connection.model('Counter', new Schema({ _id: String, value: Number }));
  const next = async (): Promise<number> => {
    const counter = await Counter.findOneAndUpdate(
      { _id: 'issues' },
      { $inc: { value: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    return counter.value!;
  };
  const taken = await Promise.all(Array.from({ length: 40 }, next));
  expect(new Set(taken).size).toBe(40);
  expect(Math.max(...taken)).toBe(40);
});

test('queries: lean, select, cursor, exists, distinct, counts, aggregate', async () => {
  const { Issue } = models();
  await Issue.insertMany(Array.from({ length: 250 }, (_, iid) => ({ title: `t${iid}`, iid, labels: [`l${iid % 3}`] })));
  expect(await Issue.countDocuments({ labels: 'l1' })).toBe(83);
  expect(await Issue.estimatedDocumentCount()).toBe(250);
  expect(await Issue.exists({ iid: 7 })).toEqual({ _id: expect.any(Types.ObjectId) });
  expect(await Issue.exists({ iid: 700 })).toBeNull();
  expect((await Issue.distinct('labels')).sort()).toEqual(['l0', 'l1', 'l2']);
  expect(await Issue.findOne({ iid: 5 }).select('title -_id').lean()).toEqual({ title: 't5' });
  const seen: number[] = [];
  for await (const { iid } of Issue.find({ iid: { $gte: 100 } })
    .sort({ iid: -1 })
    .cursor({ batchSize: 30 }))
    seen.push(iid!);
  expect(seen).toEqual(Array.from({ length: 150 }, (_, at) => 249 - at));
  const groups = await Issue.aggregate([
    { $unwind: '$labels' },
    { $group: { _id: '$labels', n: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ]);
  expect(groups).toEqual([
    { _id: 'l0', n: 84 },
    { _id: 'l1', n: 83 },
    { _id: 'l2', n: 83 },
  ]);
});

test('bulkWrite, updateMany with array filters, deleteMany', async () => {
  const { Issue } = models();
  await Issue.bulkWrite([
    { insertOne: { document: { title: 'a', iid: 1, comments: [{ likes: 1 }, { likes: 5 }] } } },
    { updateOne: { filter: { title: 'b', iid: 2 }, update: { $set: { labels: ['new'] } }, upsert: true } },
  ]);
  await Issue.updateMany(
    {},
    { $set: { 'comments.$[many].text': 'popular' } },
    { arrayFilters: [{ 'many.likes': { $gt: 3 } }] },
  );
  const [a] = await Issue.find({ title: 'a' }).lean();
  expect(a!.comments.map(({ text }) => text)).toEqual([undefined, 'popular']);
  expect(await Issue.deleteMany({ title: { $in: ['a', 'b'] } })).toMatchObject({ deletedCount: 2 });
});

// The driver replaces the text of the server's code 20.
test('transactions are refused', async () => {
  const { Issue } = models();
  await Issue.init();
  await expect(connection.transaction((session) => Issue.create([{ title: 'never' }], { session }))).rejects.toThrow(
    /does not support retryable writes|Transaction numbers/,
  );
  expect(await Issue.countDocuments()).toBe(0);
});

test('explain shows the plan to Mongoose', async () => {
  const { Issue } = models();
  await Issue.init();
  const project = new Types.ObjectId();
  await Issue.create({ title: 'x', project, iid: 1 });
  expect(await Issue.find({ project, iid: 1 }).explain('executionStats')).toMatchObject({
    executionStats: { nReturned: 1, totalKeysExamined: 1, totalDocsExamined: 1 },
  });
});
