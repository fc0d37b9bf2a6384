/**
 * The minimum work of a service over NATS: one indexed find, one insert, one count. The collaboration service is
 * compared with it. A separate process, like the service.
 */
import { MongoClient } from 'mongodb';
import { connect } from 'nats';

const { MONGODB_URI, MONGODB_PREFIX, NATS_URL } = process.env;
const url = new URL(NATS_URL);
const nats = await connect({ servers: url.host, user: url.username || undefined, pass: url.password || undefined });
const client = await MongoClient.connect(MONGODB_URI);
const database = client.db(`${MONGODB_PREFIX}_collaboration`);
const decoder = new TextDecoder();
const encoder = new TextEncoder();
let lastId = 1_000_000_000;

function answer(subject, work) {
  nats.subscribe(subject, {
    callback: async (_, message) => {
      const result = await work(JSON.parse(decoder.decode(message.data)));
      message.respond(encoder.encode(JSON.stringify(result)));
    },
  });
}

answer('floor.page', ({ noteableId }) =>
  database
    .collection('notes')
    .find({ noteableType: 'Issue', noteableId })
    .sort({ createdAt: -1, _id: -1 })
    .limit(20)
    .toArray(),
);
answer('floor.create', async ({ body }) => {
  const record = { _id: lastId++, body, createdAt: new Date() };
  await database.collection('floor').insertOne(record);
  return record;
});
answer('floor.count', async (filter) => {
  const issues = database.collection('issues');
  const [opened, closed] = await Promise.all(
    ['opened', 'closed'].map((state) => issues.countDocuments({ ...filter, state })),
  );
  return { opened, closed };
});

await nats.flush();
process.send('ready');
process.once('disconnect', () => process.exit(0));
