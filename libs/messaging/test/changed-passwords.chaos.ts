import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningProgram, startOnFreePort, startProgram } from '@moothall/infrastructure';
import { ErrorCode, type NatsConnection, type NatsError } from 'nats';
import { connectNats } from '../src';

/* How passwords of NATS are changed without a stop (docs/secrets.md), on a real server with the accounts of an operator. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-test-'));
const file = path.join(folder, 'nats.conf');
const log = path.join(folder, 'nats.log');
const example = readFileSync(path.resolve(__dirname, '../../../deploy/nats-accounts.conf'), 'utf8')
  .replace('/data', path.join(folder, 'store'))
  // Servers before 2.10 do not have `sync_interval: always`.
  .replace('sync_interval: always', '');
const [, users = ''] = /users: \[\n([\s\S]*?)\n {4}\]/.exec(example) ?? [];
/** Each user once more, under another name, with its password in plain text. */
const others = users.replace(
  /user: (\w+), password: \$\w+/g,
  (_, user) => `user: ${user}-2, password: "${user}-changed"`,
);
const passwords = [...users.matchAll(/\$(NATS_PASSWORD_(\w+))/g)].map(([, name, user]) => [
  name!,
  `${user!.toLowerCase()}-secret`,
]);

let program: RunningProgram;
let port: number;
const opened: NatsConnection[] = [];

beforeAll(async () => {
  writeFileSync(file, example);
  const started = await startOnFreePort((free) => {
    port = free;
    return startProgram({
      name: 'nats-server',
      command: 'nats-server',
      args: ['-a', '127.0.0.1', '-p', String(free), '-c', file],
      env: { ...process.env, ...Object.fromEntries(passwords) },
      logFile: log,
      pidFile: path.join(folder, 'nats.pid'),
      waitUntilReady: async () => {
        for (;;) {
          const answer = await signIn('operator', 'operator-secret').catch((error: NatsError) => error);
          if (!(answer instanceof Error)) return;
          if (answer.code !== ErrorCode.ConnectionRefused) throw answer;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      },
    });
  });
  program = started.program;
});
afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await program?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signIn(user: string, password: string): Promise<NatsConnection> {
  const connection = await connectNats(`nats://${user}:${password}@127.0.0.1:${port}`, user);
  opened.push(connection);
  return connection;
}

/** Reloads its configuration, as `nats-server --signal reload`. */
async function reload(config: string): Promise<void> {
  writeFileSync(file, config);
  const reloads = () => readFileSync(log, 'utf8').split('Reloaded server configuration').length;
  const before = reloads();
  process.kill(JSON.parse(readFileSync(path.join(folder, 'nats.pid'), 'utf8')).pid, 'SIGHUP');
  while (reloads() === before) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** As a replica of identity does. */
function serve(connection: NatsConnection): void {
  connection.subscribe('identity.>', { queue: 'identity', callback: (_error, message) => message.respond('served') });
}

it('no request fails while they are changed, and the former ones open nothing afterwards', async () => {
  const [identity, gateway] = [await signIn('identity', 'identity-secret'), await signIn('gateway', 'gateway-secret')];
  serve(identity);
  await identity.flush();
  const clients = [gateway];
  const failures: string[] = [];
  let asked = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const answer = clients.at(-1)!.request('identity.version.get', '', { timeout: 30_000 });
      await answer.catch((error: NatsError) => failures.push(error.code));
      asked++;
    }
  })();

  await reload(example.replace(users, `${users}\n${others}`));
  const next = await signIn('identity-2', 'identity-changed');
  serve(next);
  await next.flush();
  await identity.drain();
  clients.push(await signIn('gateway-2', 'gateway-changed'));
  const before = asked;
  while (asked < before + 20) await new Promise((resolve) => setTimeout(resolve, 5));
  await gateway.drain();
  await reload(example.replace(users, others));
  const after = asked;
  while (asked < after + 20) await new Promise((resolve) => setTimeout(resolve, 5));
  isOver = true;
  await asking;

  expect(failures).toEqual([]);
  await expect(signIn('identity', 'identity-secret')).rejects.toMatchObject({ code: ErrorCode.AuthorizationViolation });
  const refused = new Promise((resolve) => next.subscribe('projects.>', { callback: (error) => resolve(error?.code) }));
  expect(await refused).toBe(ErrorCode.PermissionsViolation);
}, 120_000);
