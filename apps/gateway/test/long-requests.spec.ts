import { once } from 'node:events';
import { connect } from 'node:net';
import {
  Access,
  listEpics,
  listProjectIssues,
  listProjectMergeRequests,
  listProjectMilestones,
  type Operation,
} from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

let gateway: GatewayUnderTest;
const project = projectNamed('long', { visibility: 'public', accessLevel: Access.Owner });
const group = groupNamed('long', { visibility: 'public', accessLevel: Access.Owner });
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('ada-token', callerNamed('ada'));
  gateway.knowProject(project);
  gateway.knowGroup(group);
});
afterAll(() => gateway?.stop());

const iids = Array.from({ length: 10_000 }, (_, at) => 1_000_000 + at);
const query = `per_page=3&${iids.map((iid) => `iids%5B%5D=${iid}`).join('&')}`;

describe('ten thousand iids[] in a query', () => {
  it.each<[string, Operation]>([
    [`/projects/${project.id}/issues`, listProjectIssues],
    [`/projects/${project.id}/merge_requests`, listProjectMergeRequests],
    [`/projects/${project.id}/milestones`, listProjectMilestones],
    [`/groups/${group.id}/epics`, listEpics],
  ])('reach %s, and its answer has no longer headers than clients read', async (path, operation) => {
    let asked: unknown;
    gateway.stubs.respond(operation, (input) => {
      asked = input;
      return { items: [], total: 7 } as never;
    });
    const answer = await gateway.fetch(`/api/v4${path}?${query}`, { token: 'ada-token' });
    expect(answer.status).toBe(200);
    expect(asked).toMatchObject({ iids, per_page: 3 });
    expect(answer.headers.get('link')).toBeNull();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-total': '7',
      'x-total-pages': '3',
      'x-next-page': '2',
    });
    expect([...answer.headers].join().length).toBeLessThan(8192);
  });
});

async function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}

describe('a request that cannot be read', () => {
  it('is refused in the form of the interface if its URL is too long', async () => {
    const answer = await answerTo(`GET /api/v4/version?search=${'a'.repeat(300_000)} HTTP/1.1\r\nhost: a\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 414 .*\{"message":"414 Request-URI Too Large"\}$/s);
  });

  it('is refused in the same form when it is no HTTP', async () => {
    expect(await answerTo('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*\{"message":"400 Bad Request"\}$/s);
  });

  it.each([
    ['two hosts', 'host: a\r\nhost: b\r\n'],
    ['one host twice', 'host: a\r\nHOST: a\r\n'],
    ['no host', ''],
  ])('is refused with %s', async (_name, hosts) => {
    const answer = await answerTo(`GET /api/v4/version HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"message":"400 Bad request"\}$/s);
  });
});
