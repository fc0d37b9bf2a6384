import { type EventRecord, groupChanged, groupDeleted } from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { EventPublisher } from '@moothall/messaging';
import { Global, Module } from '@nestjs/common';
import { getConnectionToken, getModelToken, MongooseModule } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import { type Model, Schema } from 'mongoose';
import { Counters, DatabaseModule, findPage, isDuplicateKey, newEvent, Outbox, type Outboxed, outboxed } from '../src';

interface Group extends Outboxed {
  _id: number;
  path: string;
  createdAt?: Date;
  updatedAt?: Date;
}

const schema = new Schema<Group>({ _id: Number, path: String }, { timestamps: true }).plugin(outboxed as never);
schema.index({ path: 1 }, { unique: true });

/** Publishes into a list, or fails while NATS is unavailable. */
class Published {
  static events: EventRecord[] = [];
  static isAway = false;
  async publish(event: EventRecord): Promise<void> {
    if (Published.isAway) throw new Error('no NATS');
    Published.events.push(event);
  }
}

@Global()
@Module({ providers: [{ provide: EventPublisher, useClass: Published }], exports: [EventPublisher] })
class PublishingModule {}

let infrastructure: TestInfrastructure;
let app: TestingModule;
let groups: Model<Group>;
let outbox: Outbox;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  app = await Test.createTestingModule({
    imports: [
      PublishingModule,
      DatabaseModule.forService({
        service: 'test',
        uri: infrastructure.mongodbUri,
        prefix: infrastructure.mongodbPrefix,
      }),
      MongooseModule.forFeature([{ name: 'Group', schema }]),
    ],
  }).compile();
  await app.init();
  groups = app.get(getModelToken('Group'));
  await groups.init();
  outbox = app.get(Outbox);
});
afterAll(async () => {
  await app.close();
  await infrastructure.stop();
});
beforeEach(() => {
  Published.events = [];
  Published.isAway = false;
});

const changed = (id: number) => newEvent(groupChanged, { group_id: id, full_path: `g${id}`, change: 'created' });
const gone = (id: number) => newEvent(groupDeleted, { group_id: id, full_path: `g${id}` });
const published = () => Published.events.map(({ id }) => id);

it('publishes an event after its change is written, and clears it away', async () => {
  const event = changed(1);
  await outbox.insert(groups, { _id: 1, path: 'g1' }, event);
  expect(published()).toEqual([event.id]);
  await outbox.beforeApplicationShutdown();
  expect((await groups.collection.findOne({ _id: 1 as never }))!.outbox).toEqual([]);
});

/** A deletion is left to its caller for one run. */
async function recoverTwice(): Promise<void> {
  await outbox.recover();
  await outbox.recover();
}

it('acknowledges a change while NATS is away, and sends its event later', async () => {
  Published.isAway = true;
  const event = changed(2);
  await outbox.insert(groups, { _id: 2, path: 'g2' }, event);
  await outbox.update(groups, { _id: 2 }, { $set: { path: 'g2b' } }, event);
  expect(await groups.findById(2).lean()).toMatchObject({ path: 'g2b' });
  Published.isAway = false;
  await outbox.recover();
  expect(published()).toEqual([event.id, event.id]);
  await outbox.recover();
  expect(published()).toHaveLength(2);
});

it('writes neither change nor event if the write is refused', async () => {
  await outbox.insert(groups, { _id: 3, path: 'taken' });
  const error = await outbox.insert(groups, { _id: 4, path: 'taken' }, changed(4)).catch((refusal: unknown) => refusal);
  expect([isDuplicateKey(error), isDuplicateKey(error, 'path'), isDuplicateKey(error, 'name')]).toEqual([
    true,
    true,
    false,
  ]);
  await outbox.recover();
  expect(published()).toEqual([]);
});

it('finds nothing to update and publishes nothing', async () => {
  expect(await outbox.update(groups, { _id: 999 }, { $set: { path: 'x' } }, changed(999))).toBeNull();
  expect(published()).toEqual([]);
});

it('finishes an interrupted removal', async () => {
  await outbox.insert(groups, { _id: 5, path: 'g5' });
  const event = gone(5);
  // The state after a process died right after it wrote its intention.
  await groups.db
    .collection('removals')
    .insertOne({ _id: 'r' as never, collection: 'groups', recordId: 5, events: [event] });
  await recoverTwice();
  expect(await groups.findById(5).lean()).toBeNull();
  expect(published()).toEqual([event.id]);
  expect(await groups.db.collection('removals').countDocuments()).toBe(0);
});

it('deletes a document and stores its event until NATS is back', async () => {
  await outbox.insert(groups, { _id: 6, path: 'g6' });
  Published.isAway = true;
  const event = gone(6);
  await outbox.remove(groups, 6, event);
  expect(await groups.findById(6).lean()).toBeNull();
  Published.isAway = false;
  await recoverTwice();
  expect(published()).toEqual([event.id]);
});

it('reports that the document existed, even if the periodic job processes its deletion first', async () => {
  await outbox.insert(groups, { _id: 9, path: 'g9' });
  const removals = groups.db.collection('removals');
  const insert = removals.insertOne.bind(removals);
  jest.spyOn(removals, 'insertOne').mockImplementation(async (removal) => {
    const inserted = await insert(removal);
    await recoverTwice();
    return inserted;
  });
  const event = gone(9);
  expect(await outbox.remove(groups, 9, event)).toBe(true);
  expect(published()).toEqual([event.id]);
});

it('deletes unchanged documents, and ignores changed ones', async () => {
  await outbox.insert(groups, { _id: 7, path: 'g7' });
  const event = gone(7);
  await outbox.removeIf(groups, 7, { path: { $in: ['before'] } }, event);
  await recoverTwice();
  expect(await groups.findById(7).lean()).toMatchObject({ path: 'g7' });
  expect(published()).toEqual([]);
  Published.isAway = true;
  await outbox.removeIf(groups, 7, { path: { $in: ['g7'] } }, event);
  expect(await groups.findById(7).lean()).toBeNull();
  Published.isAway = false;
  await recoverTwice();
  expect(published()).toEqual([event.id]);
  expect(await groups.db.collection('removals').countDocuments()).toBe(0);
});

it('publishes an event without a change of the document', async () => {
  const before = await outbox.insert(groups, { _id: 8, path: 'g8' });
  const event = changed(8);
  expect(await outbox.update(groups, { _id: 8 }, {}, event)).toMatchObject({
    updatedAt: (before as unknown as { updatedAt: Date }).updatedAt,
  });
  expect(published()).toEqual([event.id]);
});

it('returns every number once to concurrent callers', async () => {
  const counters = app.get(Counters);
  // Calls of one process in one turn are one command: here they take turns, and are two.
  const ofAnother = new Counters(app.get(getConnectionToken()));
  const nextOf = async (one: Counters, at: number) => {
    for (let turn = 0; turn < at % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    return one.next('group');
  };
  const numbers = await Promise.all(Array.from({ length: 200 }, (_, at) => nextOf(at % 2 ? counters : ofAnother, at)));
  expect(new Set(numbers).size).toBe(200);
  expect(Math.max(...numbers)).toBe(200);
  await counters.atLeast('group', 1000);
  expect(await counters.take('group', 10)).toBe(1001);
  expect(await counters.next('group')).toBe(1011);
});

it('pages, and counts no further than it must', async () => {
  await groups.insertMany(Array.from({ length: 25 }, (_, index) => ({ _id: 100 + index, path: `p${index}` })));
  const filter = { _id: { $gte: 100 } };
  const second = await findPage(groups, filter, { _id: 1 }, { page: 2, per_page: 10 });
  expect([second.items.map(({ _id }) => _id), second.total]).toEqual([
    [110, 111, 112, 113, 114, 115, 116, 117, 118, 119],
    25,
  ]);
  expect(await findPage(groups, filter, { _id: 1 }, { page: 9, per_page: 10 })).toMatchObject({ items: [], total: 25 });
});
