import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { type CollectedSpan, Collector } from './collector';
import { git } from './git';
import { OwnServer } from './own-server';
import { until } from './until';

/* All log lines and spans of one request, in all processes, have its id, and form one trace. */

jest.setTimeout(300_000);

const patienceMs = 120_000;
const collector = new Collector();
let server: OwnServer;

beforeAll(async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = await collector.start();
  server = new OwnServer({ LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT });
  await server.start();
});
afterAll(async () => {
  await server.stop();
  collector.stop();
});

interface Line {
  requestId?: string;
  msg: string;
}

/** Lines of all logs with an id, as grep finds them. */
function linesOf(requestId: string): Line[] {
  const folder = path.join(server.dataFolder, 'logs');
  const texts = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const found = texts.flatMap((text) => text.split('\n').filter((line) => line.includes(requestId)));
  // The last line may be incomplete.
  return found.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}

let made = 0;

async function makeProject(): Promise<{ id: number; group: number }> {
  made += 1;
  const name = `followed ${made}`;
  const group = (await server.api('POST', '/groups', { name, path: `followed-${made}` })) as { id: number };
  const body = { name, path: `secret-path-${made}`, namespace_id: group.id, initialize_with_readme: true };
  const { id } = (await server.api('POST', '/projects', body)) as { id: number };
  return { id, group: group.id };
}

const ask = (method: string, rest: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/v4${rest}`, { method, headers: { 'private-token': server.token, ...headers } });

const wholePath = [
  /^operation projects\.groups\.delete took \d+ ms, waited for .*database \d+ ms/,
  /^job projects\.group-removals took \d+ ms/,
  /^event repository-\S+ took \d+ ms/,
];

/** A periodic job that comes between the mark on the group and its job adds the job itself, which follows from no request then. */
const triesOfMs = patienceMs / 4;

async function followDeletion(): Promise<{ requestId: string; lines: Line[] } | undefined> {
  const { group } = await makeProject();
  const answer = await ask('DELETE', `/groups/${group}`);
  expect(answer.status).toBe(202);
  const requestId = answer.headers.get('x-request-id')!;
  const isWhole = (lines: Line[]) => wholePath.every((one) => lines.some(({ msg }) => one.test(msg)));
  const find = () => [linesOf(requestId)].find(isWhole);
  const lines = await until('its whole path', find, triesOfMs).catch(() => undefined);
  return lines && { requestId, lines };
}

it('is in the log lines of operations, events and jobs, and of nothing else', async () => {
  const { requestId, lines } = await until('the whole path of a request in the logs', followDeletion, patienceMs);
  expect(lines.filter((line) => line.requestId !== requestId)).toEqual([]);
});

const client = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${client.traceId}-${client.spanId}-01`;

type Is = (span: CollectedSpan) => boolean;

const named = (name: string) => (span: CollectedSpan) => span.name === name;
const starting = (start: string) => (span: CollectedSpan) => span.name.startsWith(start);

/**
 * The matching span, once it has arrived: each process sends its spans independently, possibly children before parents.
 */
const spanThat = (what: string, is: Is) => until(what, () => collector.spans.find(is), patienceMs);

/** A child span. */
const below = (parent: CollectedSpan, what: string, is: Is) =>
  spanThat(what, (span) => span.traceId === parent.traceId && span.parentSpanId === parent.spanId && is(span));

it('is one trace, of the client that sends one, to git in a job', async () => {
  const { id } = await makeProject();
  const answer = await ask('POST', `/projects/${id}/housekeeping`, { traceparent });
  expect(answer.status).toBe(201);
  const step = (parent: CollectedSpan, name: string, kind: number) =>
    below(parent, `${name} of kind ${kind}`, (span) => span.name === name && span.kind === kind);

  const route = 'POST /api/v4/projects/:id/housekeeping';
  const request = await spanThat('the request', (span) => span.traceId === client.traceId && named(route)(span));
  expect(request).toMatchObject({ service: 'gateway', kind: 2, parentSpanId: client.spanId });
  expect(request.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/api/v4/projects/:id/housekeeping',
    'http.response.status_code': 201,
    'moothall.request_id': answer.headers.get('x-request-id'),
  });
  const called = await step(request, 'projects.projects.housekeep', 3);
  const handled = await step(called, 'projects.projects.housekeep', 2);
  expect([called.service, handled.service]).toEqual(['gateway', 'projects']);
  const asked = await step(handled, 'repository.repositories.maintain', 3);
  const answered = await step(asked, 'repository.repositories.maintain', 2);
  await below(
    answered,
    'the command that stores the job',
    ({ attributes }) => attributes['db.system.name'] === 'redis',
  );
  const job = await below(answered, 'the job', starting('process repository.maintenance'));
  expect(job).toMatchObject({ service: 'repository', kind: 5 });
  await below(job, 'git in the job', starting('git '));
  const command = await below(job, 'a command', ({ attributes }) => attributes['db.system.name'] === 'mongodb');
  expect(command).toMatchObject({ kind: 3 });
});

it('continues into event handlers, and contains nothing of the request body', async () => {
  const { group } = await makeProject();
  const traceId = client.traceId.replaceAll('0', '1');
  await ask('DELETE', `/groups/${group}`, { traceparent: `00-${traceId}-${client.spanId}-01` });
  const inTrace = (is: Is) => (span: CollectedSpan) => span.traceId === traceId && is(span);
  const isFollowed: Is = (span) => span.kind === 5 && span.attributes['messaging.system'] === 'nats';
  await spanThat('the job', inTrace(named('process projects.group-removals')));
  await spanThat('the published event', inTrace(starting('publish projects.')));
  const followed = await spanThat('what follows an event', inTrace(isFollowed));
  await spanThat(
    'its parent',
    inTrace(({ spanId }) => spanId === followed.parentSpanId),
  );
  const said = collector.bodies.join('\n');
  for (const secret of [server.token, 'secret-path']) expect(said).not.toContain(secret);
});

it('continues from a push to its event handlers', async () => {
  const { id } = await makeProject();
  const { http_url_to_repo: address } = (await server.api('GET', `/projects/${id}`)) as { http_url_to_repo: string };
  const traceId = client.traceId.replaceAll('7', '2');
  const folder = temporaryFolder('pushed');
  const clone = path.join(folder, 'clone');
  git(folder, ['clone', '--quiet', address.replace('://', `://root:${server.token}@`), clone]);
  git(clone, ['commit', '--quiet', '--allow-empty', '--message', 'New']);
  git(clone, ['-c', `http.extraHeader=traceparent: 00-${traceId}-${client.spanId}-01`, 'push', '--quiet']);
  removeTemporaryFolder(folder);
  const inTrace = (is: Is) => (span: CollectedSpan) => span.traceId === traceId && is(span);
  const followed = await spanThat('who makes pipelines', inTrace(named('process ci-FollowPushes-onPush')));
  const transfer = await spanThat(
    'the transfer',
    inTrace(({ spanId }) => spanId === followed.parentSpanId),
  );
  expect(transfer).toMatchObject({ service: 'repository', name: 'transfer git', kind: 2 });
  await below(transfer, 'git that takes the push', named('git receive-pack'));
});

it.each([
  { what: 'broken', hostile: '00-1-2-01' },
  { what: 'of no version', hostile: `ff-${client.traceId}-${client.spanId}-01` },
  { what: 'long', hostile: 'x'.repeat(8_000) },
])('starts a new one if the trace of a client is $what', async ({ hostile }) => {
  const answer = await ask('GET', '/version', { traceparent: hostile });
  expect(answer.status).toBe(200);
  const requestId = answer.headers.get('x-request-id');
  const isIt = (span: CollectedSpan) => span.attributes['moothall.request_id'] === requestId && span.kind === 2;
  const span = await spanThat('the span', (one) => isIt(one) && one.service === 'gateway');
  expect(span.parentSpanId || undefined).toBeUndefined();
  expect(span.traceId).not.toBe(client.traceId);
});

it('is answered as ever while the collector hangs', async () => {
  collector.isHanging = true;
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('GET', '/projects')));
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  collector.isHanging = false;
});
