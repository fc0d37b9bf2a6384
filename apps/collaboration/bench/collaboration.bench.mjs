/**
 * Measures notes and statistics against the least that a service can do over NATS. Ratios count, not rates.
 * Run after a build: `node apps/collaboration/bench/collaboration.bench.mjs`; prints a table and, as the last line, JSON.
 * ISSUES and NOTES set the size; 200000 and 2000000 is the size that the goals are meant for.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import contracts from '@moothall/contracts';
import infrastructureModule from '@moothall/infrastructure';
import messaging from '@moothall/messaging';
import { MongoClient } from 'mongodb';
import { addIssues, addNotes } from '../../../tools/bench/collaboration-data.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));
const size = {
  projects: 1000,
  issues: Number(process.env.ISSUES ?? 20_000),
  notes: Number(process.env.NOTES ?? 200_000),
  users: 500,
  labels: 50,
};
const firstNotes = Math.min(20_000, size.notes);
const roundMs = 1500;
const rounds = 5;
const lanes = 8;

const infrastructure = await infrastructureModule.startTestInfrastructure();
const env = {
  ...process.env,
  MONGODB_URI: infrastructure.mongodbUri,
  MONGODB_PREFIX: infrastructure.mongodbPrefix,
  NATS_URL: infrastructure.natsUrl,
  REDIS_URL: infrastructure.redisUrl,
  EXTERNAL_URL: 'http://moothall.test',
  SECRET_KEY: 'a secret key of the benchmark, long enough',
  TICKET_KEY: 'a ticket key of the benchmark, long enough',
  LOG_LEVEL: 'error',
};
const processes = [];
async function startProcess(file) {
  const child = fork(file, { env });
  processes.push(child);
  await once(child, 'message');
}

const nats = await messaging.connectNats(infrastructure.natsUrl, 'bench');
const client = new messaging.OperationClient(nats);
const encoder = new TextEncoder();

nats.subscribe(contracts.userSummaries.name, {
  callback: (_, message) => {
    const users = message.json().ids.map((id) => ({
      id,
      username: `user${id}`,
      name: `User ${id}`,
      state: 'active',
      avatar_url: null,
      web_url: `http://moothall.test/user${id}`,
      created_at: '2020-10-15T08:12:01.123Z',
      email: `user${id}@example.com`,
      public_email: null,
      is_admin: false,
    }));
    message.respond(encoder.encode(JSON.stringify(users)));
  },
});

const caller = {
  id: 1,
  username: 'user1',
  name: 'User 1',
  email: '',
  isAdmin: true,
  isExternal: false,
  scopes: ['api'],
};
const context = {
  requestId: 'bench',
  caller,
  project: {
    id: 1,
    groupIds: [1],
    fullPath: 'group/project',
    visibility: 'private',
    accessLevel: 50,
    isArchived: false,
  },
};

nats.subscribe(contracts.readableProjects.name, {
  callback: (_, message) => {
    const features = { issues: 'enabled' };
    const all = Array.from({ length: size.projects }, (_, at) => ({
      id: at + 1,
      visibility: 'private',
      accessLevel: 50,
      features,
    }));
    message.respond(encoder.encode(JSON.stringify(all)));
  },
});

/** Calls a second, and how long the slowest hundredth takes. */
async function round(work) {
  const started = performance.now();
  const times = [];
  const lane = async () => {
    while (performance.now() - started < roundMs) {
      const before = performance.now();
      await work();
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  times.sort((a, b) => a - b);
  return { rate: (times.length * 1000) / (performance.now() - started), p99: times[Math.floor(times.length * 0.99)] };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Calls a second once it is warm. */
async function rates(work) {
  await round(work);
  const results = [];
  for (let at = 0; at < rounds; at++) results.push((await round(work)).rate);
  return median(results);
}

/** Both in turns, so that what else the machine does falls on both alike. */
async function compare(name, ours, floor, goal) {
  await round(ours);
  await round(floor);
  const results = [];
  for (let at = 0; at < rounds; at++) results.push({ ours: await round(ours), floor: await round(floor) });
  return {
    name,
    ours: Math.round(median(results.map((result) => result.ours.rate))),
    theirs: Math.round(median(results.map((result) => result.floor.rate))),
    ratio: Number(median(results.map((result) => result.ours.rate / result.floor.rate)).toFixed(2)),
    p99Ms: Number(median(results.map((result) => result.ours.p99)).toFixed(1)),
    goal,
  };
}

const ask = (operation, input) => client.send(operation, operation.input.parse(input), context);
const askFloor = (subject, input) => nats.request(subject, encoder.encode(JSON.stringify(input)), { timeout: 30_000 });

const page = () => ask(contracts.listIssueNotes, { id: '1', issue_iid: 1 });
let created = 0;
const create = () => {
  const issue_iid = 2 + (created++ % (size.issues / size.projects - 1));
  return ask(contracts.createIssueNote, { id: '1', issue_iid, body: 'Some words of a comment' });
};
const statistics = () =>
  ask(contracts.getIssuesStatistics, { scope: 'all', labels: ['label 7'], author_id: 7, confidential: false });

const figures = [];
try {
  await startProcess(path.join(folder, '../dist/main.js'));
  await startProcess(path.join(folder, '../../../tools/bench/collaboration-floor.mjs'));
  const mongo = await MongoClient.connect(infrastructure.mongodbUri);
  const database = mongo.db(`${infrastructure.mongodbPrefix}_collaboration`);
  await addIssues(database, size);
  await addNotes(database, size, 0, firstNotes);
  await database.collection('counters').insertMany([
    { _id: 'notes', value: size.notes + 1 },
    { _id: 'issues', value: size.issues + 1 },
  ]);
  const few = await rates(page);
  await addNotes(database, size, firstNotes, size.notes);
  const many = await rates(page);
  figures.push({
    name: `page of notes: ${firstNotes} notes to ${size.notes}, time`,
    ours: Math.round(many),
    theirs: Math.round(few),
    ratio: Number((few / many).toFixed(2)),
    goal: 'at most 1.3',
  });
  figures.push(
    await compare('page of 20 notes', page, () => askFloor('floor.page', { noteableId: 1 }), 'at least 0.5'),
    await compare(
      'statistics with three filters',
      statistics,
      () => askFloor('floor.count', { labelIds: { $in: [7] }, authorId: 7, confidential: false }),
      'at least 0.67',
    ),
    await compare(
      'create a note',
      create,
      () => askFloor('floor.create', { body: 'Some words of a comment' }),
      'at least 0.4',
    ),
  );
  await mongo.close();
} finally {
  for (const child of processes) child.disconnect();
  await Promise.all(processes.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)));
  await nats.close();
  await infrastructure.stop();
}
console.table(figures);
console.log(JSON.stringify(figures));
