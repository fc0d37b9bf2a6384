import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import {
  compareRefs,
  deleteIntegration,
  type EventInput,
  issueChanged,
  noteCreated,
  pipelineChanged,
  pushReceived,
  setIntegration,
} from '@moothall/contracts';
import { eventually, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Delivery } from '../src/delivery/delivery.schema';
import { type IntegrationsBed, startIntegrationsService } from './integrations-under-test';
import { Mailbox } from './mailbox';
import { comparison } from './payloads';

/* Integrations deliver to real servers: by HTTP, mail and TCP. */

interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const received: Received[] = [];
/** Temporary statuses of paths, other than 200. */
const answers = new Map<string, number[]>();
let started: Awaited<ReturnType<typeof startIntegrationsService>>;
let bed: IntegrationsBed;
let http: Server;
let mailbox: Mailbox;
let base: string;

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
const wholeOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

beforeAll(async () => {
  http = createServer(async (request, response) => {
    const body = await wholeOf(request);
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body });
    response.writeHead(answers.get(url)?.shift() ?? 200).end('{}');
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${portOf(http)}`;
  mailbox = await Mailbox.start();
  started = await startIntegrationsService({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Hall <hall@moothall.test>',
  });
  bed = started.bed;
  const { respond } = started.under;
  respond(compareRefs, () => comparison);
  await bed.set({ allow_local_requests_from_web_hooks_and_services: true });
});
afterAll(async () => {
  await started?.stop();
  await new Promise((closed) => http.close(closed));
  await mailbox?.stop();
});

function newProject() {
  const project = bed.project();
  const { id } = project;
  const context = bed.as(project);
  const at = { id: String(id) };
  const push = (over: Partial<EventInput<typeof pushReceived>> = {}) =>
    bed.emit(pushReceived, {
      project_id: id,
      user: { id: 1, username: 'ada', name: 'Ada Lovelace', email: 'ada@moothall.test' },
      ref: 'refs/heads/main',
      ref_type: 'branch',
      before: 'b'.repeat(40),
      after: 'c'.repeat(40),
      checkout_sha: 'c'.repeat(40),
      message: null,
      default_branch: 'main',
      commits: [commit('Turn the wheel')],
      total_commits_count: 1,
      ...over,
    });
  return {
    id,
    /** Unique. */
    path: `/hook-${id}`,
    set: (slug: string, given: object) => bed.call(setIntegration, { ...at, slug, ...given }, context),
    remove: (slug: string) => bed.call(deleteIntegration, { ...at, slug }, context),
    push,
    pipeline: (status: 'running' | 'failed' | 'success') =>
      bed.emit(pipelineChanged, {
        ...{ project_id: id, pipeline_id: 21, iid: 1, ref: 'main', tag: false, sha: 'c'.repeat(40), user_id: 1 },
        ...{ before_sha: 'b'.repeat(40), source: 'push', status, stages: ['test'] },
        ...{ created_at: '2020-10-15T08:12:01.123Z', finished_at: null, duration: 12 },
      }),
    issue: (title: string, confidential = false) =>
      bed.emit(issueChanged, {
        action: 'open',
        user_id: 1,
        issue: {
          ...{ id: uniqueId(), iid: 4, project_id: id, title, description: 'See AB-7.', state: 'opened', confidential },
          ...{ author_id: 1, assignee_ids: [], label_ids: [], milestone_id: null, due_date: null, weight: null },
          ...{ created_at: '2020-10-15T08:12:01.123Z', updated_at: '2020-10-15T08:12:01.123Z' },
        },
      }),
    note: (body: string, over: Partial<EventInput<typeof noteCreated>['note']> = {}) =>
      bed.emit(noteCreated, {
        ...{ project_id: id, group_id: null },
        note: {
          ...{ id: uniqueId(), body, author_id: 1, noteable_type: 'Issue', noteable_id: 9, noteable_iid: 4 },
          ...{ confidential: false, created_at: '2020-10-15T08:12:01.123Z', ...over },
        },
      }),
  };
}

const commit = (message: string) => ({
  id: 'c'.repeat(40),
  title: message,
  message,
  timestamp: '2020-10-15T08:12:01+00:00',
  url: `http://moothall.test/-/commit/${'c'.repeat(40)}`,
  author: { name: 'Ada Lovelace', email: 'ada@moothall.test' },
  added: ['a.txt'],
  modified: [],
  removed: [],
});

const sentTo = (path: string) => received.filter(({ url }) => url.startsWith(path));
const arrived = (path: string, count = 1) =>
  eventually(() => (sentTo(path).length >= count ? sentTo(path) : undefined), `${count} at ${path}`);
const basic = `Basic ${Buffer.from('u:p').toString('base64')}`;

it.each(['slack', 'mattermost', 'discord', 'hangouts-chat', 'microsoft-teams', 'unify-circuit', 'webex-teams'])(
  '%s receives a push',
  async (slug) => {
    const { set, push, path } = newProject();
    await set(slug, { webhook: `${base}${path}` });
    await push();
    const [request] = await arrived(path);
    expect([request!.method, request!.headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(request!.body).toContain('Ada Lovelace');
  },
);

describe.each([
  ['a note on a confidential issue', { insider_ids: [1] }],
  ['a confidential note', { confidential: true }],
])('%s', (_name, confidential) => {
  const channels = { channel: 'all', confidential_note_channel: 'inner' };
  const messages = (path: string) => sentTo(path).map(({ body }) => JSON.parse(body) as { channel: string });

  it('is sent to the channel of confidential notes', async () => {
    const { set, note, path } = newProject();
    await set('slack', { webhook: `${base}${path}`, ...channels });
    await note('Open');
    await note('Hidden', confidential);
    await arrived(path, 2);
    expect(messages(path).map(({ channel }) => channel)).toEqual(['all', 'inner']);
  });

  it.each([
    ['is not sent if only ordinary notes are on', { confidential_note_events: false }, 'Open'],
    ['is sent if only confidential notes are on', { note_events: false }, 'Hidden'],
  ])('%s', async (_case, switches, expected) => {
    const { set, note, path } = newProject();
    await set('slack', { webhook: `${base}${path}`, ...channels, ...switches, push_events: true });
    // A chat gets its messages in the order of the events: the last one shows that all were sent.
    await note('Hidden', confidential);
    await note('Open');
    await note('Hidden', confidential);
    await note('Open');
    await arrived(path, 2);
    const texts = sentTo(path).map(({ body }) => (body.includes('Hidden') ? 'Hidden' : 'Open'));
    expect(texts).toEqual([expected, expected]);
  });
});

it.each<[string, (path: string) => object, string, Partial<Received>]>([
  [
    'bamboo',
    (path) => ({ bamboo_url: `${base}${path}`, build_key: 'K', username: 'u', password: 'p' }),
    '/updateAndBuild.action',
    { method: 'GET' },
  ],
  [
    'teamcity',
    (path) => ({ teamcity_url: `${base}${path}`, build_type: 'T', username: 'u', password: 'p' }),
    '/httpAuth/app/rest/buildQueue',
    {},
  ],
  [
    'jenkins',
    (path) => ({ jenkins_url: `${base}${path}`, project_name: 'engine', username: 'u', password: 'p' }),
    '/project/engine',
    {},
  ],
  ['drone-ci', (path) => ({ drone_url: `${base}${path}`, token: 't' }), '/hook?owner=group&name=', {}],
  [
    'packagist',
    (path) => ({ server: `${base}${path}`, username: 'u', token: 't' }),
    '/api/update-package?username=u',
    {},
  ],
  ['hipchat', (path) => ({ server: `${base}${path}`, room: '5', token: 't' }), '/v2/room/5/notification', {}],
])('%s receives a push', async (slug, settings, below, expected) => {
  const { set, push, path } = newProject();
  await set(slug, settings(path));
  await push();
  const [request] = await arrived(`${path}${below}`);
  expect(request).toMatchObject({ method: 'POST', ...expected });
  if ('username' in settings(path) && slug !== 'packagist') expect(request!.headers.authorization).toBe(basic);
});

it('jira has a comment and a link for each issue, in order', async () => {
  const { set, push, path } = newProject();
  await set('jira', { url: `${base}${path}`, username: 'u', password: 'p', jira_issue_transition_id: '5' });
  await push({ commits: [commit('Closes AB-1')] });
  const requests = await arrived(path, 3);
  expect(requests.map(({ url }) => url.replace(`${path}/rest/api/2/issue/`, ''))).toEqual([
    'AB-1/comment',
    'AB-1/remotelink',
    'AB-1/transitions',
  ]);
});

it('datadog and github receive running pipelines, chats only finished ones', async () => {
  const { set, pipeline, path } = newProject();
  await set('datadog', { api_key: 'k', api_url: `${base}${path}/datadog` });
  await set('github', { token: 't', repository_url: `${base}/a/b${path}` });
  await set('slack', { webhook: `${base}${path}/slack`, notify_only_broken_pipelines: true });
  for (const status of ['running', 'success', 'failed'] as const) await pipeline(status);
  await arrived(`${path}/datadog`, 3);
  const statuses = await arrived(`/api/v3/repos/b/${path.slice(1)}/statuses/`, 3);
  expect(statuses.map(({ body }) => JSON.parse(body).state)).toEqual(['pending', 'success', 'failure']);
  expect((await arrived(`${path}/slack`)).map(({ body }) => JSON.parse(body).text)).toEqual([
    expect.stringContaining('has failed'),
  ]);
});

it('receives the selected events and branches, with links to the external tracker', async () => {
  const { set, push, issue, path } = newProject();
  const tracker = { new_issue_url: base, project_url: base, issues_url: 'https://track.example.com/:id' };
  await set('custom-issue-tracker', tracker);
  const webhook = `${base}${path}`;
  await set('slack', { webhook, branches_to_be_notified: 'protected', confidential_issues_events: false });
  await issue('secret', true);
  await push();
  await push({ ref: 'refs/heads/stable' });
  await issue('shown');
  const bodies = (await arrived(path, 2)).map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ text }) => text)).toEqual([
    expect.stringContaining('stable'),
    expect.stringContaining('#4 shown'),
  ]);
  expect(bodies[1].attachments[0].text).toBe('See <https://track.example.com/7|AB-7>.');
});

it('receives events in order, with retries, and none after its deletion', async () => {
  const { set, remove, push, path } = newProject();
  answers.set(path, [500]);
  await set('webex-teams', { webhook: `${base}${path}` });
  const titles = Array.from({ length: 8 }, (_, at) => `commit ${at}`);
  for (const title of titles) await push({ commits: [commit(title)] });
  const bodies = (await arrived(path, 9)).map(({ body }) => /commit \d/.exec(body)?.[0]);
  expect(bodies).toEqual(['commit 0', ...titles]);
  await remove('webex-teams');
  await push();
  await push();
  expect(sentTo(path)).toHaveLength(9);
});

it('reaches nothing in the local network once that is closed', async () => {
  const { set, push, path } = newProject();
  const { id } = await set('slack', { webhook: `${base}${path}` });
  await bed.set({ allow_local_requests_from_web_hooks_and_services: false });
  try {
    await push();
    const deliveries = started.under.running.app.get<Model<Delivery>>(getModelToken('Delivery'), { strict: false });
    const isRefused = () => deliveries.exists({ line: `integration-${id}`, state: 'refused' });
    await eventually(async () => (await isRefused()) !== null, 'the refusal');
  } finally {
    await bed.set({ allow_local_requests_from_web_hooks_and_services: true });
  }
  expect(sentTo(path)).toEqual([]);
});

describe('mails of pushes', () => {
  const mailTo = (address: string) => eventually(() => mailbox.to(address)[0], `mail to ${address}`);

  it('are sent to each recipient separately, with commits and changes', async () => {
    const { id, set, push } = newProject();
    const [first, second] = [`one-${id}@x.example`, `two-${id}@x.example`];
    await set('emails-on-push', { recipients: `${first} ${second}` });
    await push();
    for (const address of [first, second]) {
      const { from, to, text } = await mailTo(address);
      expect([from, to]).toEqual(['hall@moothall.test', [address]]);
      expect(text).toContain('Turn the wheel');
      expect(text).toContain('+fast');
      expect(text).not.toContain(address === first ? second : first);
    }
    expect(mailbox.to(first)).toHaveLength(1);
  });

  it('are from the user who pushed, without changes, if configured', async () => {
    const { id, set, push } = newProject();
    const recipients = `one-${id}@x.example`;
    await set('emails-on-push', { recipients, disable_diffs: true, send_from_committer_email: true });
    await push();
    const { from, text } = await mailTo(recipients);
    expect(from).toBe('ada@moothall.test');
    expect(text).toContain('Turn the wheel');
    expect(text).not.toContain('+fast');
  });

  it('contain pipelines, also for the user who started one', async () => {
    const { id, set, pipeline } = newProject();
    await set('pipelines-email', { recipients: `one-${id}@x.example`, add_pusher: true });
    await pipeline('running');
    await pipeline('failed');
    expect((await mailTo(`one-${id}@x.example`)).text).toContain('Pipeline #21 has failed for main');
    await mailTo('user-1@example.com');
  });
});

it('irker has a line for each line of the message', async () => {
  const { set, push } = newProject();
  let taken = '';
  const gateway = createTcpServer((socket) => {
    socket.on('data', (chunk) => {
      taken += chunk;
    });
  });
  await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
  const given = { recipients: 'hall irc://other.example/#few', default_irc_uri: 'irc://irc.example.com/' };
  await set('irker', { ...given, server_host: '127.0.0.1', server_port: portOf(gateway) });
  await push();
  const lines = await eventually(
    () => (taken.split('\n').length === 3 ? taken.trim().split('\n') : undefined),
    'lines',
  );
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      to: ['irc://irc.example.com/hall', 'irc://other.example/#few'],
      privmsg: expect.stringContaining('pushed to branch'),
    },
    {
      to: ['irc://irc.example.com/hall', 'irc://other.example/#few'],
      privmsg: expect.stringContaining('Turn the wheel'),
    },
  ]);
  await new Promise((closed) => gateway.close(closed));
});
