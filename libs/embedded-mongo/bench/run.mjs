// Compares the server with the floor, in one run on one machine. Ratios mean something, absolute figures do not travel.
// usage: node libs/embedded-mongo/bench/run.mjs [--documents 1000000] [--seconds 3] [--rounds 3] [--json FILE]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { connect, latencies, median, quantile, rate } from './measure.mjs';
import { startFloor, startServer } from './servers.mjs';
import { GROUPS, makeDocument, workloads } from './workloads.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
    only: { type: 'string' },
  },
});
const size = Number(values.documents);
const rounds = Number(values.rounds);

async function fill(items, count) {
  await items.createIndexes([{ key: { group: 1, createdAt: -1 } }, { key: { number: 1 } }]);
  const ids = [];
  for (let from = 0; from < count; from += 1000) {
    const batch = Array.from({ length: Math.min(1000, count - from) }, (_, at) => makeDocument(from + at));
    ids.push(...batch.map(({ _id }) => _id));
    await items.insertMany(batch);
  }
  return ids;
}

async function compare(workload, server, client, ids) {
  const floor = await startFloor(workload.replies);
  const floorClient = await connect(floor.uri);
  const items = client.db('bench').collection('items');
  const floorItems = floorClient.db('bench').collection('items');
  const seconds = workload.seconds ?? Number(values.seconds);
  const ours = [];
  const theirs = [];
  // In turns, so that other load of the machine affects both.
  for (let round = 0; round <= rounds; round++) {
    const a = await rate(floor, () => workload.run(floorItems, ids), { seconds });
    const b = await rate(server, () => workload.run(items, ids), { seconds });
    if (round === 0) continue;
    theirs.push(a);
    ours.push(b);
  }
  await floorClient.close();
  await floor.stop();
  return {
    name: workload.name,
    floorPerSecond: Math.round(median(theirs.map(({ perSecond }) => perSecond))),
    perSecond: Math.round(median(ours.map(({ perSecond }) => perSecond))),
    ratio: median(ours.map(({ perSecond }, at) => perSecond / theirs[at].perSecond)),
    target: workload.target,
    cpuMicros: median(ours.map(({ cpuMicros }) => cpuMicros)),
    cpuTarget: workload.cpuTarget,
  };
}

/** The time of one page, without other load, in a small and in the large collection. */
async function pageGrowth(client, small) {
  const database = client.db('bench');
  await fill(database.collection('small'), small);
  const timeOf = async (name) => {
    const items = database.collection(name);
    const groups = name === 'small' ? Math.min(GROUPS, small) : GROUPS;
    let at = 0;
    const operation = () =>
      items
        .find({ group: at++ % groups })
        .sort({ createdAt: -1 })
        .limit(10)
        .toArray();
    await latencies(operation, 300);
    return median(await latencies(operation, 1500));
  };
  const ratios = [];
  for (let round = 0; round < 5; round++) {
    const before = await timeOf('small');
    ratios.push((await timeOf('items')) / before);
  }
  return median(ratios);
}

/** Load on another connection. */
const heavyWork = {
  'a scan': (items) => items.countDocuments({ description: 'not there' }),
  'a sort of all documents': (items) =>
    items
      .find()
      .sort({ description: 1, number: -1 })
      .limit(1_000_000)
      .skip(size - 1)
      .toArray(),
  'a $sort of all documents': (items) =>
    items
      .aggregate([{ $set: { digit: { $mod: ['$number', 10] } } }, { $sort: { digit: 1 } }, { $count: 'n' }])
      .toArray(),
  'a $group of as many groups': (items) =>
    items.aggregate([{ $group: { _id: '$number', n: { $sum: 1 } } }, { $count: 'n' }]).toArray(),
  'a $group of few groups': (items) =>
    items.aggregate([{ $group: { _id: '$group', last: { $max: '$createdAt' } } }, { $count: 'n' }]).toArray(),
};

/** The time of point reads meanwhile. */
async function readsDuring(work, server, client, ids) {
  const items = client.db('bench').collection('items');
  const other = await connect(server.uri, 1);
  const started = performance.now();
  const working = work(other.db('bench').collection('items'));
  let isWorking = true;
  working.finally(() => {
    isWorking = false;
  });
  const times = [];
  while (isWorking && times.length < 100_000) {
    times.push(...(await latencies(() => workloads[0].run(items, ids), 20)));
  }
  await working;
  const seconds = (performance.now() - started) / 1000;
  await other.close();
  times.sort((a, b) => a - b);
  return { seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99), reads: times.length };
}

const server = await startServer();
const client = await connect(server.uri);
const started = performance.now();
const ids = await fill(client.db('bench').collection('items'), size);
const loadSeconds = (performance.now() - started) / 1000;
process.stderr.write(`${size} documents loaded in ${loadSeconds.toFixed(1)} s\n`);

const results = [];
for (const workload of workloads) {
  if (values.only && !workload.name.includes(values.only)) continue;
  results.push(await compare(workload, server, client, ids));
}
const report = {
  machine: `${cpus().length} x ${cpus()[0].model}, Node ${process.version}`,
  documents: size,
  loadPerSecond: Math.round(size / loadSeconds),
  results,
};
if (!values.only) {
  report.pageGrowth = await pageGrowth(client, 10_000);
}
if (!values.only || values.only === 'reads') {
  report.readsDuring = {};
  for (const [name, work] of Object.entries(heavyWork)) {
    report.readsDuring[name] = await readsDuring(work, server, client, ids);
  }
}
await client.close();
await server.stop();

console.table(
  results.map(({ name, floorPerSecond, perSecond, ratio, target, cpuMicros, cpuTarget }) => ({
    operation: name,
    'floor/s': floorPerSecond,
    'server/s': perSecond,
    ratio: ratio.toFixed(2),
    'at least': target ?? '',
    'CPU us': Math.round(cpuMicros),
    'at most': cpuTarget ?? '',
  })),
);
if (report.pageGrowth) {
  console.log(
    `page of 10, ${size} documents against 10000: ${report.pageGrowth.toFixed(2)} times the time (at most 1.2)`,
  );
}
for (const [name, { seconds, reads, p50, p99 }] of Object.entries(report.readsDuring ?? {})) {
  console.log(
    `${reads} point reads during ${name} (${seconds.toFixed(1)} s): p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (at most 50 ms)`,
  );
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
