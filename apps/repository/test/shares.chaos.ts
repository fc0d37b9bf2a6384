import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Access, type Caller, getArchive, gitExchange } from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';
import { callerNamed, eventually } from '@moothall/testing';
import { Storages } from '../src/storage/storages';
import { type ProjectUnderTest, type RepositoryUnderTest, startRepositoryService } from './repository-under-test';

// One caller's connections do not block others, whatever the caller does with them.
const connections = 200;
const idleSeconds = 2;

let under: RepositoryUnderTest;
let place: ProjectUnderTest;
beforeAll(async () => {
  under = await startRepositoryService({
    GIT_SHARE: '2',
    GIT_MAX_TRANSFERS: '4',
    TRANSFER_IDLE_TIMEOUT: String(idleSeconds),
    ARCHIVE_CACHE: '0',
  });
  place = await under.newProject();
  // More than the pipes and sockets between git and a client that does not read can buffer.
  for (let n = 0; n < 4; n++) await place.commit('main', `big${n}`, randomText(4 << 20));
});
afterAll(() => under.stop());

const mallory = callerNamed('mallory');
const ada = callerNamed('ada');

async function exchangeUrl(caller: Caller | undefined, phase: 'advertise' | 'rpc' | 'session', ip = '192.0.2.1') {
  const context = { ...place.contextAs(Access.Developer), caller, client: { ip, userAgent: '' } };
  const presigned = await under.client.call(gitExchange, { service: 'git-upload-pack', phase }, context as never);
  return presigned.url;
}

async function archiveUrl(caller: Caller) {
  const context = { ...place.contextAs(Access.Developer), caller, client: { ip: '192.0.2.1', userAgent: '' } };
  return (await under.client.call(getArchive, { id: 'x', format: 'tar' }, context as never)).url;
}

const running = () => under.running.app.get(Storages, { strict: false }).engine('default').transport.runningProcesses;

/** An open request without further reads or writes. */
function open(url: string, method: 'GET' | 'POST'): { sent: ClientRequest; ended: Promise<unknown> } {
  const sent = request(url, { method, agent: false });
  const ended = new Promise((resolve) => sent.once('error', resolve).once('close', resolve));
  sent.once('response', (answer) => {
    answer.on('error', () => undefined);
    if (answer.statusCode !== 200) answer.resume();
  });
  if (method === 'POST') sent.flushHeaders();
  else sent.end();
  return { sent, ended };
}

async function read(url: string): Promise<Buffer> {
  const [answer] = (await once(request(url, { agent: false }).end(), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return buffer(answer);
}

it.each([
  ['a user', mallory, '192.0.2.1'],
  ['an address', undefined, '192.0.2.66'],
])('starts no git for requests that %s announces and never sends, and ends them', async (_, caller, ip) => {
  const urls = await Promise.all(Array.from({ length: connections }, () => exchangeUrl(caller, 'rpc', ip)));
  const silent = urls.map((url) => open(url, 'POST'));
  await Promise.all(silent.map(({ sent }) => once(sent, 'socket')));
  expect(running()).toBe(0);
  expect((await read(await exchangeUrl(ada, 'advertise'))).toString()).toContain('refs/heads/main');
  await Promise.all(silent.map(({ ended }) => ended));
});

it('serves archives to others while one caller does not read 200 of theirs, and closes those', async () => {
  const urls = await Promise.all(Array.from({ length: connections }, () => archiveUrl(mallory)));
  const unread = urls.map((url) => open(url, 'GET'));
  await eventually(() => running() === 2, 'his share');
  expect((await read(await archiveUrl(ada))).length).toBeGreaterThan(16 << 20);
  await eventually(() => running() === 0, 'rest');
  for (const { sent } of unread) sent.destroy();
});

it('limits silent SSH sessions to the share of their caller, and closes them', async () => {
  const urls = await Promise.all(Array.from({ length: connections }, () => exchangeUrl(mallory, 'session')));
  const silent = urls.map((url) => open(url, 'POST'));
  await eventually(() => running() === 2, 'his share');
  expect((await read(await exchangeUrl(ada, 'advertise'))).toString()).toContain('refs/heads/main');
  await Promise.all(silent.map(({ ended }) => ended));
  await eventually(() => running() === 0, 'rest');
});

it('does not end a slow request that makes progress', async () => {
  const sent = request(await exchangeUrl(ada, 'rpc'), { method: 'POST', agent: false });
  const answered = once(sent, 'response');
  const id = await headId();
  const body = [`0032want ${id}\n`, '0000', '0009done\n'].join('');
  for (const letter of body) {
    sent.write(letter);
    await new Promise((resolve) => setTimeout(resolve, (idleSeconds * 2000) / body.length));
  }
  sent.end();
  const [answer] = (await answered) as [IncomingMessage];
  expect((await buffer(answer)).subarray(0, 8).toString()).toBe('0008NAK\n');
});

// Regression: 503.
it.each(['git-upload-pack', 'git-receive-pack'] as const)(
  'refuses a body for %s that is no gzip, as malformed',
  async (service) => {
    const context = { ...place.contextAs(Access.Developer), caller: ada };
    const { url } = await under.client.call(gitExchange, { service, phase: 'rpc' }, context as never);
    const sent = request(url, { method: 'POST', agent: false, headers: { 'content-encoding': 'gzip' } });
    sent.end('this is no gzip');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(JSON.parse(String(answer.headers[refusalHeader])).code).toBe('git.request_malformed');
  },
);

async function headId(): Promise<string> {
  const { engine, path } = under.running.app.get(Storages, { strict: false }).locate(place.project);
  return (await engine.objects.resolve(path, 'main'))!;
}

function randomText(length: number): string {
  return Array.from({ length: length / 8 }, () => Math.random().toString(36).slice(2, 10).padEnd(8, 'x')).join('');
}
