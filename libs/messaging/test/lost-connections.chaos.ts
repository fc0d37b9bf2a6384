import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { internal, type Operation, operation } from '@moothall/contracts';
import { natsUrl, type Placement, type RunningProgram, startNats, startOnFreePort } from '@moothall/infrastructure';
import { Controller, Module } from '@nestjs/common';
import type { NatsConnection } from 'nats';
import { z } from 'zod';
import { connectNats, Handles, OperationClient } from '../src';
import { openLargeMessageStore, startTestService } from './test-service';

/*
 * A request whose reply cannot arrive fails immediately, and a read is sent once more. Replicas have separate
 * connections here, like processes, and die like them: NATS sees the connection end.
 */

const trial = { access: internal(), input: z.object({}), output: z.object({ replica: z.int() }), timeoutSeconds: 60 };
const readIt = operation({ ...trial, name: 'trial.it.read', isRead: true });
const writeIt = operation({ ...trial, name: 'trial.it.write' });

interface Taken {
  kind: 'read' | 'write';
  replica: number;
  answer(): void;
}
let taken: (call: Taken) => void = () => undefined;
/** Resolves with the next calls that replicas receive; the test answers them. */
const next = (count: number): Promise<Taken[]> =>
  new Promise((resolve) => {
    const calls: Taken[] = [];
    taken = (call) => {
      calls.push(call);
      if (calls.length === count) resolve(calls);
    };
  });

function replicaModule(replica: number) {
  const take = (kind: Taken['kind']) =>
    new Promise<{ replica: number }>((resolve) => taken({ kind, replica, answer: () => resolve({ replica }) }));

  @Controller()
  class Trial {
    @Handles(readIt)
    async read() {
      return take('read');
    }

    @Handles(writeIt)
    async write() {
      return take('write');
    }
  }

  @Module({ controllers: [Trial] })
  class TrialModule {}
  return TrialModule;
}

const password = 'of-the-test';
const folder = mkdtempSync(path.join(tmpdir(), 'moothall-test-'));
const place: Placement = { dataFolder: folder, logFolder: folder, runFolder: folder };
let nats: { port: number; program: RunningProgram };
let connection: NatsConnection;
let client: OperationClient;
let largeMessages: Awaited<ReturnType<typeof openLargeMessageStore>>;
const connections: NatsConnection[] = [];

const connected = () => connectNats(natsUrl(nats.port, password), 'test');

beforeAll(async () => {
  nats = await startOnFreePort((port) => startNats(place, port, password));
  largeMessages = await openLargeMessageStore();
});
afterAll(async () => {
  await largeMessages.close();
  await nats.program.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  connection = await connected();
  client = new OperationClient(connection);
});
afterEach(async () => {
  await Promise.all([connection, ...connections.splice(0)].map((one) => one.close()));
});

/** @returns kills it, as its process would be killed */
async function startReplica(replica: number): Promise<() => Promise<void>> {
  const own = await connected();
  connections.push(own);
  const options = { service: 'trial', connection: own, largeMessages: largeMessages.largeMessages };
  await startTestService(replicaModule(replica), options, [readIt, writeIt] as Operation[]);
  return () => own.close();
}

const unavailable = { value: { code: 'common.unavailable' } };

/** By a timer of this process, which is suspended with it. */
async function withinTwoSeconds(work: Promise<unknown>): Promise<void> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
  }, 2_000);
  await work.finally(() => clearTimeout(timer));
  expect(isLate).toBe(false);
}

/** NATS deals them out by chance: that one replica gets none of a kind happens once in a million times. */
const ofEach = 20;

it('refuses writes that a killed replica had started, and sends reads to another', async () => {
  const kills = [await startReplica(0), await startReplica(1)];
  const begun = next(2 * ofEach);
  const reads = Array.from({ length: ofEach }, () => client.call(readIt, {}));
  const writes = Array.from({ length: ofEach }, () => client.call(writeIt, {}));
  const outcomes = Promise.allSettled(writes);
  const calls = await begun;
  const lost = (kind: Taken['kind']) => calls.filter((call) => call.kind === kind && call.replica === 0).length;
  const again = next(lost('read'));
  await withinTwoSeconds(
    (async () => {
      await kills[0]!();
      for (const call of await again) call.answer();
      for (const call of calls) call.answer();
      expect(await Promise.all(reads)).toEqual(Array(ofEach).fill({ replica: 1 }));
      const refused = (await outcomes).filter(({ status }) => status === 'rejected');
      expect(refused).toEqual(
        Array(lost('write')).fill({ status: 'rejected', reason: expect.objectContaining(unavailable) }),
      );
      expect(Math.min(lost('read'), lost('write'))).toBeGreaterThan(0);
    })(),
  );
});

it('lets a replica that shuts down end its running work', async () => {
  await startReplica(0);
  const own = await connected();
  connections.push(own);
  const options = { service: 'trial', connection: own, largeMessages: largeMessages.largeMessages };
  const { server } = await startTestService(replicaModule(1), options, [readIt, writeIt] as Operation[]);
  const begun = next(10);
  const writes = Array.from({ length: 10 }, () => client.call(writeIt, {}));
  const calls = await begun;
  const stopped = server.close().then(() => own.drain());
  for (const call of calls) if (call.replica === 1) call.answer();
  await stopped;
  // Long enough for it to be missed, were its requests still waited for.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const call of calls) call.answer();
  expect(await Promise.all(writes)).toHaveLength(10);
});

it('waits for a successor of a replica that stopped, also with writes', async () => {
  const own = await connected();
  connections.push(own);
  const options = { service: 'trial', connection: own, largeMessages: largeMessages.largeMessages };
  const { server } = await startTestService(replicaModule(0), options, [readIt, writeIt] as Operation[]);
  await server.close().then(() => own.drain());
  const begun = next(2);
  const calls = [client.call(readIt, {}), client.call(writeIt, {})];
  await startReplica(1);
  for (const call of await begun) call.answer();
  expect(await Promise.all(calls)).toEqual(Array(2).fill({ replica: 1 }));
});

it('does not wait when it stops itself', async () => {
  const own = await connected();
  connections.push(own);
  const options = { service: 'trial', connection: own, largeMessages: largeMessages.largeMessages };
  const { server } = await startTestService(replicaModule(0), options, [readIt, writeIt] as Operation[]);
  await server.close().then(() => own.drain());
  client.hurry();
  await withinTwoSeconds(expect(client.call(writeIt, {})).rejects.toMatchObject(unavailable));
});

it('refuses waiting requests when NATS is killed, and works again when it is back', async () => {
  await startReplica(0);
  const begun = next(2);
  const write = client.call(writeIt, {}).catch((error: unknown) => error);
  const read = client.call(readIt, {});
  await begun;
  const again = next(1);
  process.kill(nats.program.pid, 'SIGKILL');
  await withinTwoSeconds(write);
  expect(await write).toMatchObject(unavailable);
  nats.program = await startNats(place, nats.port, password);
  // It is also refused if the start takes longer than a second; later requests are answered in either case.
  void again.then(([call]) => call!.answer());
  await read.catch((error: unknown) => expect(error).toMatchObject(unavailable));
  taken = (call) => call.answer();
  await eventually(async () => (await client.call(writeIt, {}).catch(() => undefined)) !== undefined);
});

/** Repeats until it is true; the limit of the test ends it otherwise. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

it('refuses within two seconds while NATS is away', async () => {
  process.kill(nats.program.pid, 'SIGKILL');
  await withinTwoSeconds(expect(client.call(writeIt, {})).rejects.toMatchObject(unavailable));
  await withinTwoSeconds(expect(client.call(readIt, {})).rejects.toMatchObject(unavailable));
  nats.program = await startNats(place, nats.port, password);
});
