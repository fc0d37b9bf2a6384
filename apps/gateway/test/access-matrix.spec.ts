import {
  Access,
  type AccessLevel,
  type GroupRule,
  operations,
  type ProjectRule,
  type Visibility,
} from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed, sampleInput } from '@moothall/testing';
import { FormData } from 'undici';
import { filesOf } from '../src/parameters/refuse-plain-files';
import { pathOf } from '../src/routes/generated-controllers';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/*
 * Which roles the gateway lets through to each operation; the services are stubs that allow everything. The snapshot is
 * the table: a change of access shows there and nowhere else. Roles above and below those of a row get the same answer,
 * because the first operation of each access rule is requested as every role.
 */

let gateway: GatewayUnderTest;
/** Operations that reached a service. */
const asked: string[] = [];

const levels: [string, AccessLevel][] = [
  ['outsider', Access.None],
  ['guest', Access.Guest],
  ['reporter', Access.Reporter],
  ['developer', Access.Developer],
  ['maintainer', Access.Maintainer],
  ['owner', Access.Owner],
];
const visibilities: Visibility[] = ['private', 'public'];
const routed = operations.filter((operation) => operation.routes.length > 0);
const samples = new Map(routed.map((operation) => [operation, sampleInput(operation.input)]));
/** One operation of each access rule. */
const firstOfRule = new Set(
  new Map(routed.toReversed().map((operation) => [JSON.stringify(operation.access), operation])).values(),
);

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ ARCHIVE_RATE_LIMIT: '0' });
  const user = callerNamed('user', { scopes: ['api', 'openid'] });
  gateway.knowCaller('user', user);
  gateway.knowCaller('root', callerNamed('root', { isAdmin: true, scopes: ['api', 'openid', 'sudo'] }));
  for (const visibility of visibilities) {
    for (const [name, accessLevel] of levels) {
      gateway.knowProject(projectNamed('p', { id: 1, fullPath: `${visibility}/${name}`, visibility, accessLevel }));
      gateway.knowGroup(groupNamed('g', { id: 1, fullPath: `${visibility}/${name}`, visibility, accessLevel }));
    }
  }
  for (const operation of routed)
    gateway.stubs.respond(operation, () => {
      asked.push(operation.name);
      return null as never;
    });
});
afterAll(() => gateway.stop());

const statusOf = async (operation: (typeof routed)[number], id: string, token?: string): Promise<number> =>
  (await answerOf(operation, id, token)).status;

async function answerOf(operation: (typeof routed)[number], id: string, token?: string) {
  const route = operation.routes[0]!;
  const input: Record<string, unknown> = {
    ...samples.get(operation),
    ...('level' in operation.access && { id }),
  };
  const path = pathOf(route).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? 'x')));
  const { id: _id, ...rest } = input;
  const isRead = route.method === 'GET';
  return gateway.ask(isRead ? `${path}?${queryOf(rest)}` : path, {
    method: route.method,
    token,
    ...(!isRead && bodyOf(operation, input)),
  });
}

function bodyOf(operation: (typeof routed)[number], input: Record<string, unknown>) {
  const files = filesOf(operation);
  if (!Object.keys(input).some((name) => files.has(name)))
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) };
  const body = new FormData();
  for (const [name, value] of Object.entries(input)) body.set(name, files.has(name) ? new Blob(['x']) : String(value));
  return { body };
}

const queryOf = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((one) => `${name}[]=${encodeURIComponent(String(one))}`)
        : [`${name}=${encodeURIComponent(String(value))}`],
    )
    .join('&');

/** The roles without a level, with the lowest level that the rule allows, and with the level below it. */
function rolesAtLimit(access: ProjectRule | GroupRule, visibility: Visibility): typeof levels {
  const inPrivate = access.on === 'project' ? Math.max(access.level, access.levelInPrivate) : access.level;
  const required = visibility === 'private' ? Math.max(inPrivate, Access.Guest) : access.level;
  const at = levels.findIndex(([, level]) => level === required);
  return levels.filter((_, index) => index === 0 || index === at - 1 || index === at);
}

async function row(operation: (typeof routed)[number]): Promise<string> {
  const { access } = operation;
  if (!('level' in access)) {
    const [anonymous, user, administrator] = [
      await statusOf(operation, '1'),
      await statusOf(operation, '1', 'user'),
      await statusOf(operation, '1', 'root'),
    ];
    return `anonymous ${anonymous}, user ${user}, administrator ${administrator}`;
  }
  const cells: string[] = [];
  for (const visibility of visibilities) {
    const roles = [`anonymous ${await statusOf(operation, `${visibility}/outsider`)}`];
    const asked = firstOfRule.has(operation) ? levels : rolesAtLimit(access, visibility);
    for (const [name] of asked) roles.push(`${name} ${await statusOf(operation, `${visibility}/${name}`, 'user')}`);
    cells.push(`${visibility}: ${roles.join(', ')}`);
  }
  return cells.join(' | ');
}

it('allows each role what the access rules define, and nothing else', async () => {
  const table: Record<string, string> = {};
  for (const operation of routed) table[operation.name] = await row(operation);
  const unsampled = Object.entries(table).filter(([, cells]) => / (400|500|503)/.test(cells));
  expect(unsampled).toEqual([]);
  expect(table).toMatchSnapshot();
}, 900_000);

/**
 * Headers that differ between requests, and hop-by-hop headers (RFC 9110, 7.6.1): a connection is closed if the body
 * had not arrived when the response was sent.
 */
const varying = new Set(['date', 'x-request-id', 'x-runtime', 'connection', 'keep-alive']);

/** Everything that a caller can learn about a target: the response, and the number of calls to services. */
async function traceOf(operation: (typeof routed)[number], id: string, token?: string) {
  const before = { resolutions: gateway.resolutions(), asked: asked.length };
  const { status, body, headers } = await answerOf(operation, id, token);
  const shown = Object.entries(headers)
    .filter(([name]) => !varying.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  const text = [status, body.replaceAll(id, '…'), ...shown.map((line) => line.replaceAll(id, '…'))].join('\n');
  return `${text}\n${gateway.resolutions() - before.resolutions} questions, ${asked.slice(before.asked)}`;
}

it('answers for a hidden target as for a missing one, with as many requests to services', async () => {
  const telling: string[] = [];
  let compared = 0;
  for (const operation of routed) {
    if (!('level' in operation.access)) continue;
    for (const token of [undefined, 'user']) {
      const closed = [];
      const missing = [];
      // The second time, an answer may come from a cache.
      for (let turn = 0; turn < (firstOfRule.has(operation) ? 2 : 1); turn++) {
        closed.push(await traceOf(operation, 'private/outsider', token));
        missing.push(await traceOf(operation, 'private/nowhere8', token));
      }
      compared++;
      if (closed.join() !== missing.join()) telling.push(`${operation.name}, ${token}: ${closed} and ${missing}`);
    }
  }
  expect(compared).toBeGreaterThan(800);
  expect(telling).toEqual([]);
}, 300_000);
