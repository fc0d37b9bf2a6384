import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import mongoose, { type Connection } from 'mongoose';

/* Two processes of one service on one database: a job for one process runs in one, whatever happens to them. */

let infrastructure: TestInfrastructure;
let connection: Connection;
const started: ChildProcess[] = [];

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await mongoose.createConnection(infrastructure.mongodbUri).asPromise();
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  for (const name of ['turns', 'leases']) await connection.collection(name).deleteMany({});
});
afterAll(async () => {
  await connection.close();
  await infrastructure.stop();
});

async function jobs(NAME: string): Promise<ChildProcess> {
  const env = { ...process.env, MONGODB_URI: infrastructure.mongodbUri, NAME };
  const child = fork(path.join(__dirname, 'fixtures/periodic-job.js'), { env });
  started.push(child);
  await once(child, 'message');
  return child;
}

const turnsOf = (by: string) => connection.collection('turns').countDocuments({ by });

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Some process runs that often. */
async function goesOn(by: string, turns = 5): Promise<void> {
  const before = await turnsOf(by);
  await until(async () => (await turnsOf(by)) >= before + turns);
}

it('runs in one process, and in the other after the first was killed', async () => {
  const first = await jobs('first');
  await goesOn('first');
  await jobs('second');
  await goesOn('first', 20);
  expect(await turnsOf('second')).toBe(0);
  const exited = once(first, 'exit');
  first.kill('SIGKILL');
  await exited;
  await goesOn('second');
});

it('passes from an owner that stops, after its run has ended', async () => {
  const first = await jobs('first');
  await goesOn('first');
  await jobs('second');
  const exited = once(first, 'exit');
  first.kill('SIGTERM');
  await exited;
  expect(await connection.collection('turns').countDocuments({ by: 'first', ended: false })).toBe(0);
  await goesOn('second');
});

it('is not done by one that slept and was replaced', async () => {
  const first = await jobs('first');
  await goesOn('first');
  await jobs('second');
  // During a run. Its process still exists, so only its silence shows it.
  first.send('sleep');
  await goesOn('second');
  const before = await connection.collection('turns').countDocuments({ by: 'first', ended: true });
  expect(await connection.collection('turns').countDocuments({ by: 'first', ended: false })).toBe(1);
  first.kill('SIGCONT');
  await goesOn('second', 50);
  // It may end the run during which it was suspended, and starts none.
  expect(await turnsOf('first')).toBe(before + 1);
});
