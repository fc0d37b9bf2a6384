// The measured operations. Each is one command; the floor answers it with a reply of the same size.
import { randomInt } from 'node:crypto';
import { Long, ObjectId, serialize } from 'bson';

export const GROUPS = 1000;

/** A document of about 470 bytes, like those of the services. */
export function makeDocument(number) {
  return {
    _id: new ObjectId(),
    number,
    group: number % GROUPS,
    state: number % 3 === 0 ? 'closed' : 'opened',
    title: `A title of an issue, number ${number}`,
    description: 'x'.repeat(180),
    author: { id: number % 97, username: `user${number % 97}` },
    labels: ['bug', `label-${number % 13}`],
    createdAt: new Date(1700000000000 + number * 1000),
    updatedAt: new Date(),
  };
}

const page = (documents) => ({
  find: serialize({ cursor: { firstBatch: documents, id: Long.ZERO, ns: 'bench.items' }, ok: 1 }),
});
const documents = (count) => Array.from({ length: count }, (_, number) => makeDocument(number));

/** `ids` of the collection's documents, in their order. */
export const workloads = [
  {
    name: 'point read by _id',
    target: 0.75,
    cpuTarget: 60,
    replies: page(documents(1)),
    run: (items, ids) => items.findOne({ _id: ids[randomInt(ids.length)] }),
  },
  {
    name: 'page of 20 by compound index',
    target: 0.5,
    cpuTarget: 250,
    replies: page(documents(20)),
    run: (items) =>
      items
        .find({ group: randomInt(GROUPS) })
        .sort({ createdAt: -1 })
        .limit(20)
        .toArray(),
  },
  {
    name: 'insert with two indexes',
    target: 0.5,
    cpuTarget: 150,
    replies: { insert: serialize({ n: 1, ok: 1 }) },
    run: (items) => items.insertOne(makeDocument(randomInt(1e9))),
  },
  {
    name: '$in of 1,000 ids',
    target: 0.5,
    seconds: 1.5,
    replies: page(documents(1000)),
    run(items, ids) {
      const from = randomInt(Math.max(ids.length - 1000, 1));
      return items.find({ _id: { $in: ids.slice(from, from + 1000) } }, { batchSize: 2000 }).toArray();
    },
  },
  {
    name: 'update by _id ($set, $inc)',
    replies: { update: serialize({ n: 1, nModified: 1, ok: 1 }) },
    run: (items, ids) =>
      items.updateOne({ _id: ids[randomInt(ids.length)] }, { $set: { state: 'opened' }, $inc: { seen: 1 } }),
  },
];
