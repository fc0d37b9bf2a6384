import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EventRecord, getVersion, groupDeleted, type Operation, operations } from '@moothall/contracts';
import { type RunningProgram, startOnFreePort, startProgram } from '@moothall/infrastructure';
import { Controller, Module } from '@nestjs/common';
import { ErrorCode, type Msg, type NatsConnection, type NatsError } from 'nats';
import { connectNats, EventConsumer, EventPublisher, ensureEventStream, Handles, OperationClient } from '../src';
import { byeSubject, helloSubject } from '../src/replica-presence';
import { openLargeMessageStore, startTestService } from './test-service';

/* A process with access to NATS could act as any caller and service. The example of accounts for operators, on a real server. */

const services = [...new Set(operations.map(({ name }) => name.split('.', 1)[0]!))];
const users = ['gateway', ...services];
const folder = mkdtempSync(path.join(tmpdir(), 'moothall-test-'));
const connections = new Map<string, NatsConnection>();
let program: RunningProgram;

beforeAll(async () => {
  const file = path.join(folder, 'nats.conf');
  const example = readFileSync(path.resolve(__dirname, '../../../deploy/nats-accounts.conf'), 'utf8');
  // Servers before 2.10 do not have `sync_interval: always`.
  writeFileSync(file, example.replace('/data', path.join(folder, 'store')).replace('sync_interval: always', ''));
  const passwords = [...users, 'operator'].map((user) => [`NATS_PASSWORD_${user.toUpperCase()}`, `${user}-secret`]);
  const started = await startOnFreePort((port) =>
    startProgram({
      name: 'nats-server',
      command: 'nats-server',
      args: ['-a', '127.0.0.1', '-p', String(port), '-c', file],
      env: { ...process.env, ...Object.fromEntries(passwords) },
      logFile: path.join(folder, 'nats.log'),
      pidFile: path.join(folder, 'nats.pid'),
      waitUntilReady: async () => {
        for (const user of users) connections.set(user, await signIn(user, port));
      },
    }),
  );
  program = started.program;
  await ensureEventStream(await as('identity').jetstreamManager());
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await program?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const as = (user: string): NatsConnection => connections.get(user)!;

/** Tries until a server runs. */
async function signIn(user: string, port: number): Promise<NatsConnection> {
  for (;;) {
    const connecting = connectNats(`nats://${user}:${user}-secret@127.0.0.1:${port}`, user);
    const connection = await connecting.catch((error: NatsError) => error);
    if (!(connection instanceof Error)) return connection;
    if (connection.code !== ErrorCode.ConnectionRefused) throw connection;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it('has a user for each service there is', () => {
  expect(services.sort()).toEqual([
    'ci',
    'collaboration',
    'delivery',
    'geo',
    'identity',
    'integrations',
    'projects',
    'registry',
    'repository',
    'security',
    'web',
  ]);
});

it('allows every service to call every other', async () => {
  const serving = services.map((service) =>
    as(service).subscribe(`${service}.>`, { callback: (_error, message) => message.respond(service) }),
  );
  await Promise.all(services.map((service) => as(service).flush()));
  for (const user of users) {
    const answers = await Promise.all(services.map((service) => as(user).request(`${service}.anything`)));
    expect(answers.map((answer) => answer.string())).toEqual(services);
  }
  for (const subscription of serving) subscription.unsubscribe();
});

it('allows every service to consume events, of any size, and to store dead letters', async () => {
  const consumers = services.map((service) => new EventConsumer(as(service)));
  const heard = services.map(
    (service, index) =>
      new Promise((resolve, reject) => {
        consumers[index]!.follow(groupDeleted, service, async ({ data }) => resolve(data.group_id)).catch(reject);
      }),
  );
  const event: EventRecord = {
    id: randomUUID(),
    name: groupDeleted.name,
    data: { group_id: 7, full_path: 'g'.repeat(2 * 1024 ** 2) },
    occurredAt: new Date().toISOString(),
  };
  await new EventPublisher(as('projects')).publish(event);
  expect(await Promise.all(heard)).toEqual(services.map(() => 7));
  for (const service of services) await as(service).jetstream().publish(`dead_letters.${service}`, '{}');
  await Promise.all(consumers.map((consumer) => consumer.close()));
});

it('lets every service receive announcements of replicas', async () => {
  const { largeMessages, close } = await openLargeMessageStore();
  const said = [helloSubject, byeSubject].map(
    (subject) =>
      new Promise<Msg>((resolve) => as('gateway').subscribe(subject, { max: 1, callback: (_, msg) => resolve(msg) })),
  );
  await as('gateway').flush();
  const client = new OperationClient(as('gateway'));
  const { app } = await startTestService(
    VersionModule,
    { service: 'identity', connection: as('identity'), largeMessages },
    [getVersion as Operation],
  );
  expect(await client.call(getVersion, {})).toEqual({ version: '13.6.0', revision: 'x' });
  await app.close();
  for (const message of await Promise.all(said)) expect(message.json()).toMatchObject({ service: 'identity' });
  await close();
});

@Controller()
class Version {
  @Handles(getVersion)
  async version() {
    return { version: '13.6.0', revision: 'x' };
  }
}
@Module({ controllers: [Version] })
class VersionModule {}

it.each(users)('does not allow %s to receive requests or publish events of another service', async (user) => {
  const others = services.filter((service) => service !== user);
  const { subscribed, published } = await refusedTo(
    user,
    others.map((service) => `${service}.>`),
    others.map((service) => `events.${service}.made.up`),
  );
  expect([...subscribed].sort()).toEqual(others.map((service) => `${service}.>`).sort());
  expect([...published].sort()).toEqual(others.map((service) => `events.${service}.made.up`).sort());
});

/** Tries both. @returns the refusals of the server */
async function refusedTo(user: string, subscribe: string[], publish: string[]) {
  const [subscribed, published] = [new Set<string>(), new Set<string>()];
  const connection = as(user);
  const listening = (async () => {
    for await (const { type, permissionContext } of connection.status()) {
      if (type === 'error' && permissionContext?.operation === 'publish') published.add(permissionContext.subject);
      if (published.size === publish.length) return;
    }
  })();
  const refusals = subscribe.map(
    (subject) =>
      new Promise<void>((resolve) => {
        connection.subscribe(subject, {
          callback: (error) => {
            if (error?.code === ErrorCode.PermissionsViolation) subscribed.add(subject);
            resolve();
          },
        });
      }),
  );
  for (const subject of publish) connection.publish(subject, '{}');
  await Promise.all([...refusals, listening]);
  return { subscribed, published };
}
