import { Access, type AccessLevel, operations, type Visibility } from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed, sampleInput } from '@moothall/testing';
import { filesOf } from '../src/parameters/refuse-plain-files';
import { pathOf } from '../src/routes/generated-controllers';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/*
 * Every operation under every role, as the gateway lets it through (the service behind says yes to all). The table is
 * kept beside this file: a change of who may do what shows there and nowhere else.
 */

let gateway: GatewayUnderTest;

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
  for (const operation of routed) gateway.stubs.respond(operation, () => null as never);
});
afterAll(() => gateway.stop());

async function statusOf(operation: (typeof routed)[number], id: string, token?: string): Promise<number> {
  const route = operation.routes[0]!;
  const input: Record<string, unknown> = {
    ...sampleInput(operation.input),
    ...('level' in operation.access && { id }),
  };
  const path = pathOf(route).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name] ?? 'x')));
  const { id: _id, ...rest } = input;
  const isRead = route.method === 'GET';
  const response = await gateway.fetch(isRead ? `${path}?${queryOf(rest)}` : path, {
    method: route.method,
    redirect: 'manual',
    ...(token && { token }),
    ...(!isRead && bodyOf(operation, input)),
  });
  await response.arrayBuffer();
  return response.status;
}

function bodyOf(operation: (typeof routed)[number], input: Record<string, unknown>): RequestInit {
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

async function row(operation: (typeof routed)[number]): Promise<string> {
  if (!('level' in operation.access)) {
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
    for (const [name] of levels) roles.push(`${name} ${await statusOf(operation, `${visibility}/${name}`, 'user')}`);
    cells.push(`${visibility}: ${roles.join(', ')}`);
  }
  return cells.join(' | ');
}

it('lets every role do what the interface says, and nothing else', async () => {
  const table: Record<string, string> = {};
  for (const operation of routed) table[operation.name] = await row(operation);
  const unsampled = Object.entries(table).filter(([, cells]) => / (400|500|503)/.test(cells));
  expect(unsampled).toEqual([]);
  expect(table).toMatchSnapshot();
}, 900_000);
