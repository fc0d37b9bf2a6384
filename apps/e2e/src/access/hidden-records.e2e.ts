import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Operation, operations, type Route } from '@moothall/contracts';
import { sampleInput } from '@moothall/testing';
import { z } from 'zod';
import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { asRoot, send } from './world/send';

/*
 * All ways by which a text could leak from a confidential issue, epic or note, or a private project: each operation
 * that reads, for three callers who may not see it, and each hook and chat integration with ordinary events.
 */

type User = Awaited<ReturnType<typeof newUser>>;
type Fields = Record<string, unknown>;

/** In every text of the confidential issues, epic and notes. */
const secret = uniqueName('secret');
/** In all texts of the private project. */
const closedName = uniqueName('closed');
const isHidden = (text: string): boolean => text.includes(secret) || text.includes(closedName);
/** In the last note, which everybody may read: a receiver of it has received the events before it. */
const last = uniqueName('last');
const localhost = '127.0.0.1';

let receiver: Server;
const received: { path: string; body: string }[] = [];
let member: User;
let callers: Record<string, User | undefined>;
/** Full paths of the open and of the private project. */
let projectPaths: string[];
/**
 * Values of path parameters: of the open records, of the hidden ones below the open project, of the private project.
 */
let places: { on: Partial<Record<'project' | 'group', unknown>>; fields: Fields }[];

async function startReceiver(): Promise<string> {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, localhost, resolve));
  return `http://${localhost}:${(receiver.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const url = await startReceiver();
  member = await newUser('member');
  const [guest, stranger] = [await newUser('guest'), await newUser('stranger')];
  callers = { anonymous: undefined, stranger, guest };
  const as = (method: string, path: string, body?: object) => send(member.token, method, path, body);

  const group = await asRoot('POST', '/groups', {
    ...{ name: uniqueName('group'), path: uniqueName('group'), visibility: 'public' },
  });
  await asRoot('POST', `/groups/${group.id}/members`, { user_id: member.id, access_level: 40 });
  const newProject = (name: string, visibility: string) =>
    as('POST', '/projects', { name, namespace_id: group.id, visibility, initialize_with_readme: true });
  const open = await newProject(uniqueName('open'), 'public');
  const project = `/projects/${open.id}`;
  await as('POST', `${project}/members`, { user_id: guest.id, access_level: 10 });

  const switches = { issues_events: true, note_events: true, push_events: true, merge_requests_events: true };
  await as('POST', `${project}/hooks`, { url: `${url}/project`, ...switches });
  await asRoot('POST', `/groups/${group.id}/hooks`, { url: `${url}/group`, ...switches });
  const chat = { confidential_issues_events: false, confidential_note_events: false };
  await as('PUT', `${project}/integrations/slack`, { webhook: `${url}/chat`, ...switches, ...chat });

  const named = `${secret} @${guest.username} @${stranger.username}`;
  const milestone = await as('POST', `${project}/milestones`, { title: uniqueName('milestone') });
  const label = await as('POST', `${project}/labels`, { name: uniqueName('label'), color: '#112233' });
  const epic = await as('POST', `/groups/${group.id}/epics`, { title: 'Open' });
  const hiddenEpic = await as('POST', `/groups/${group.id}/epics`, {
    ...{ title: secret, description: secret, confidential: true, parent_id: epic.id },
  });
  const epicNote = await as('POST', `/groups/${group.id}/epics/${hiddenEpic.id}/notes`, { body: named });
  const issue = await as('POST', `${project}/issues`, { title: 'Open' });
  const hidden = await as('POST', `${project}/issues`, {
    ...{ title: secret, description: `${named} #${issue.iid}`, confidential: true, epic_id: epic.id },
    ...{ milestone_id: milestone.id, labels: label.name, due_date: '2099-01-01' },
  });
  const at = `${project}/issues/${hidden.iid}`;
  const note = await as('POST', `${at}/notes`, { body: `${named} #${issue.iid}` });
  const thread = await as('POST', `${at}/discussions`, { body: named });
  const award = await as('POST', `${at}/award_emoji`, { name: 'tada' });
  await as('POST', `${at}/links`, { target_project_id: open.id, target_issue_iid: issue.iid });
  await as('PUT', at, { title: `${secret} again`, assignee_ids: [member.id] });
  await as('PUT', at, { state_event: 'close' });
  const internal = await as('POST', `${project}/issues/${issue.iid}/notes`, { body: named, internal: true });
  const ended = await as('POST', `${project}/issues`, { title: 'Later hidden' });
  await as('PUT', `${project}/issues/${ended.iid}`, { confidential: true, title: secret, description: secret });
  await as('POST', `${project}/issues/${ended.iid}/notes`, { body: secret });
  const byCommand = await as('POST', `${project}/issues`, { title: 'Hidden by a command' });
  await as('POST', `${project}/issues/${byCommand.iid}/notes`, { body: `${secret}\n/confidential` });
  await as('POST', `${project}/repository/commits`, {
    ...{ branch: 'topic', start_branch: 'main', commit_message: `Refs #${hidden.iid}` },
    actions: [{ action: 'create', file_path: 'topic.txt', content: 'x' }],
  });
  const request = await as('POST', `${project}/merge_requests`, {
    ...{ title: 'Open', source_branch: 'topic', target_branch: 'main', description: `Closes #${hidden.iid}` },
  });

  const closed = await newProject(closedName, 'private');
  const inClosed = `/projects/${closed.id}`;
  const closedIssue = await as('POST', `${inClosed}/issues`, {
    ...{ title: closedName, description: `${open.path_with_namespace}#${issue.iid}`, epic_id: epic.id },
  });
  await as('POST', `${project}/issues/${issue.iid}/links`, {
    ...{ target_project_id: closed.id, target_issue_iid: closedIssue.iid },
  });
  await as('POST', `${inClosed}/milestones`, { title: closedName });
  await as('POST', `${inClosed}/labels`, { name: closedName, color: '#112233' });
  await as('POST', `${inClosed}/wikis`, { title: closedName, content: closedName });
  await as('POST', `${inClosed}/repository/commits`, {
    ...{ branch: closedName, start_branch: 'main', commit_message: closedName },
    actions: [{ action: 'create', file_path: `${closedName}.txt`, content: closedName }],
  });
  await as('POST', `${inClosed}/repository/tags`, { tag_name: closedName, ref: 'main' });
  await as('POST', `${inClosed}/merge_requests`, {
    title: closedName,
    source_branch: closedName,
    target_branch: 'main',
  });
  await as('POST', `${inClosed}/snippets`, {
    ...{ title: closedName, visibility: 'private', files: [{ file_path: 'a.txt', content: closedName }] },
  });
  await as('POST', `${project}/issues/${issue.iid}/notes`, {
    body: `${last} @${guest.username} @${stranger.username}`,
  });

  const shared = {
    ...{ user: member.id, user_id: member.id, milestone_id: milestone.id, label_id: label.id, award_id: award.id },
    ...{ merge_request_iid: request.iid, search: secret, sha: 'main', discussion_id: thread.id },
  };
  const inOpen = { project: open.id, group: group.id };
  places = [
    {
      on: inOpen,
      fields: { ...shared, issue_iid: issue.iid, epic_iid: epic.iid, epic_id: epic.id, note_id: internal.id },
    },
    {
      on: inOpen,
      fields: { ...shared, issue_iid: hidden.iid, epic_iid: hiddenEpic.iid, epic_id: hiddenEpic.id, note_id: note.id },
    },
    { on: inOpen, fields: { ...shared, issue_iid: ended.iid, epic_id: hiddenEpic.id, note_id: epicNote.id } },
    {
      on: { project: closed.id },
      fields: { ...shared, search: closedName, issue_iid: closedIssue.iid, file_path: `${closedName}.txt` },
    },
  ];
  projectPaths = [open, closed].map(({ path_with_namespace }) => String(path_with_namespace));
  const isIn = async (token: string, path: string) => JSON.stringify(await send(token, 'GET', path)).includes(last);
  await until('the last event', () => isIn(member.token, `${project}/events?per_page=100`));
  for (const { token } of [guest, stranger]) await until('the last todo', () => isIn(token, '/todos'));
}, 120_000);

afterAll(() => {
  receiver?.closeAllConnections();
  receiver?.close();
});

/** The operation's path, below each place with its parameters. */
function pathsOf(operation: Operation, route: Route): string[] {
  const sample = sampleInput(operation.input);
  const paths = places.map(({ on, fields }) => {
    const own =
      operation.access.on === 'project' || operation.access.on === 'group' ? on[operation.access.on] : member.id;
    if (own === undefined) return undefined;
    const given: Fields = { ...sample, ...fields, id: own };
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name] ?? 1)));
    const inPath = new Set(route.path.split('/').map((part) => part.slice(1)));
    const required = Object.keys(sample).filter((name) => !inPath.has(name) && typeof given[name] !== 'object');
    const query = new URLSearchParams(Object.fromEntries(required.map((name) => [name, String(given[name])])));
    if (route.when) query.set(route.when.parameter, route.when.value);
    if (operation.input instanceof z.ZodObject && 'scope' in operation.input.shape && !route.when)
      query.set('scope', 'all');
    query.set('per_page', '100');
    return `${route.isAtRoot ? '' : '/api/v4'}${path}?${query}`;
  });
  return [...new Set(paths.filter((path) => path !== undefined))];
}

const reading = operations.flatMap((operation) =>
  operation.routes.filter(({ method }) => method === 'GET').map((route) => ({ operation, route })),
);

/** @returns operations whose answers contain a hidden text, with the paths */
async function showing(token: string | undefined): Promise<string[]> {
  const waiting = reading.flatMap(({ operation, route }) =>
    pathsOf(operation, route).map((path) => [operation.name, path] as const),
  );
  const found: string[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, path] = next;
      // An overloaded server gives no information: retry.
      const answer = await until(path, async () => {
        const response = await ask(path, { token, redirect: 'manual' });
        const body = await response.text();
        return response.status < 500 ? { body } : undefined;
      });
      if (isHidden(answer.body)) found.push(`${name} ${path}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return found;
}

it('hidden records are readable for callers who may see them', async () => {
  const found = await showing(member.token);
  expect(found.length).toBeGreaterThan(60);
});

it.each(['anonymous', 'stranger', 'guest'])('hidden records are not readable by %s', async (name) => {
  expect(await showing(callers[name]?.token)).toEqual([]);
});

const query = `query ($path: ID!) {
  project(fullPath: $path) { name issues { nodes { title description } } mergeRequests { nodes { title description } } }
}`;

it.each(['anonymous', 'stranger', 'guest', 'member'])(
  'hidden records are in an answer of GraphQL only for the member: %s',
  async (name) => {
    const token = name === 'member' ? member.token : callers[name]?.token;
    const answers = await Promise.all(
      projectPaths.map(async (path) => {
        const body = JSON.stringify({ query, variables: { path } });
        const headers = { 'content-type': 'application/json' };
        return (await ask('/api/graphql', { method: 'POST', headers, body, token })).text();
      }),
    );
    expect(answers.map(isHidden)).toEqual([name === 'member', name === 'member']);
  },
);

it.each(['project', 'group', 'chat'])('confidential records are not sent to a %s for ordinary events', async (path) => {
  const at = () => received.filter((one) => one.path === `/${path}`);
  await until('the last note', () => at().some(({ body }) => body.includes(last)));
  expect(at().filter(({ body }) => body.includes(secret))).toEqual([]);
});
