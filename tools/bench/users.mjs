/** Lists, searches and filters with 100,000 users over HTTP, beside the same query on the database. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { root } from '../set-up.mjs';

const users = 100_000;
const batch = 2_000;
const rounds = 20;
const firstNames = ['Ada', 'Alan', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Ken', 'Dennis', 'Margaret', 'Linus'];
const lastNames = ['Lovelace', 'Turing', 'Hopper', 'Dijkstra', 'Liskov', 'Knuth', 'Thompson', 'Ritchie', 'Hamilton'];

/** Inserted into the database in the service's form, which would otherwise hash 100,000 passwords. */
async function seed(collection) {
  const { newUser, emptyProfile } = createRequire(import.meta.url)(
    path.join(root, 'apps/identity/dist/user/new-user.js'),
  );
  const base = 1_000_000;
  for (let start = 0; start < users; start += batch) {
    const records = Array.from({ length: batch }, (_, offset) => {
      const n = start + offset;
      const username = `bench${String(n).padStart(6, '0')}`;
      const name = `${firstNames[n % 10]} ${lastNames[Math.floor(n / 10) % 9]} ${(n * 7919) % 1000}`;
      const createdAt = new Date(Date.UTC(2020, 0, 1) + n * 60_000);
      return {
        ...newUser({ _id: base + n, username, name, email: `${username}@example.com`, profile: { ...emptyProfile } }),
        isExternal: n % 500 === 0,
        state: n % 1000 === 0 ? 'blocked' : 'active',
        createdAt,
        updatedAt: createdAt,
      };
    });
    await collection.insertMany(records, { ordered: false });
  }
}

const range = (text) => ({ $elemMatch: { $gte: text, $lt: `${text}\uffff` } });
const newest = { _id: -1 };
/** With very many matches, they are found on a walk in the requested order, and the count is limited. */
const walked = { find: { _id: 1 }, count: { searchKeys: 1 }, limit: 1_001 };

/** The database query of each request. */
const queries = [
  ['newest', '', {}, newest],
  ['by name', 'order_by=name&sort=asc', {}, { nameKey: 1, _id: 1 }],
  ['one username', 'username=BENCH012345', { usernameKey: 'bench012345' }, newest],
  ['search, one match', 'search=bench012345', { searchKeys: range('bench012345') }, newest],
  ['search, an address', 'search=bench012345@example.com', { emailKeys: 'bench012345@example.com' }, newest],
  ['search, a thousand matches', 'search=Turing+5', { searchKeys: range('turing 5') }, newest],
  ['search, every tenth user', 'search=grace', { searchKeys: range('grace') }, newest, walked],
  ['search, every user', 'search=bench', { searchKeys: range('bench') }, newest, walked],
  ['active', 'active=true', { state: 'active', kind: { $in: ['human', 'project_bot'] } }, newest],
  ['blocked', 'blocked=true', { state: 'blocked' }, newest],
  [
    'created in an hour',
    'created_after=2020-02-01T00:00:00Z&created_before=2020-02-01T01:00:00Z',
    { createdAt: { $gte: new Date('2020-02-01T00:00:00Z'), $lte: new Date('2020-02-01T01:00:00Z') } },
    newest,
  ],
];

async function p95(work) {
  await work();
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds * 0.95)];
}

export async function measureUsers(stack) {
  const client = await MongoClient.connect(stack.mongodb_uri);
  try {
    const collection = client.db('moothall_identity').collection('users');
    await seed(collection);
    const rows = [];
    for (const [name, parameters, filter, sort, way = { limit: 10_001 }] of queries) {
      const ask = async () => {
        const url = `${stack.url}/api/v4/users?${parameters}`;
        const answer = await fetch(url, { headers: { 'private-token': stack.token } });
        if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
        await answer.arrayBuffer();
      };
      const straight = () =>
        Promise.all([
          collection.find(filter, { hint: way.find }).sort(sort).limit(20).toArray(),
          collection.countDocuments(filter, { limit: way.limit, hint: way.count }),
        ]);
      const [ours, floor] = [await p95(ask), await p95(straight)];
      rows.push({
        figure: `100,000 users: ${name}, p95`,
        value: `${ours.toFixed(1)} ms`,
        floor: `${floor.toFixed(1)} ms straight`,
        goal: 'under 50 ms',
      });
    }
    return rows;
  } finally {
    await client.close();
  }
}
