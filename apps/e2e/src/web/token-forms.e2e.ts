import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeTemporaryFolder } from '@moothall/processes';
import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';

/* Forms of deploy tokens and access tokens of projects and groups. */

const evil = '"><script>alert(1)</script>';
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>';
const folder = mkdtempSync(path.join(tmpdir(), 'moothall-token-forms-'));
afterAll(() => removeTemporaryFolder(folder));

const visitor = new PageVisitor();
let user: Awaited<ReturnType<typeof newUser>>;
/** The path of a project. */
let fullPath: string;
/** The project, or its group: the path of its pages and of its routes. */
let base: string;
let api: string;

beforeAll(async () => {
  user = await newUser('maintainer');
  await visitor.signIn(user.username, user.password);
});

const parents = ['project', 'group'] as const;
/** Creates a project in a group; the user manages one of them. */
async function prepare(of: (typeof parents)[number]): Promise<void> {
  const group = await root.Groups.create(uniqueName('Group'), uniqueName('group'), { visibility: 'private' });
  const request = { namespaceId: group.id, initializeWithReadme: true };
  const project = await root.Projects.create({ name: uniqueName('tokens'), ...request });
  fullPath = project.path_with_namespace;
  if (of === 'project') await root.ProjectMembers.add(project.id, 40, { userId: user.id });
  else await root.GroupMembers.add(group.id, 50, { userId: user.id });
  [base, api] =
    of === 'project'
      ? [`/${fullPath}`, `/projects/${project.id}`]
      : [`/groups/${group.full_path}`, `/groups/${group.id}`];
}

const issuedIn = (text: string) => /<input id="issued" readonly value="([^"]+)"/i.exec(text)?.[1];
const usernameIn = (text: string) => /<input id="issued-username" readonly value="([^"]+)"/i.exec(text)?.[1];
const listOf = async (kind: string) =>
  (await askJson('GET', `${api}/${kind}`, { token: user.token })).body as unknown as { id: number }[];
const canFetch = (username: string, secret: string): boolean => {
  try {
    return gitText(folder, ['ls-remote', remoteUrl(fullPath, username, secret)]).includes('refs/heads/main');
  } catch {
    return false;
  }
};

describe.each(
  parents.flatMap((of) => [
    [of, 'deploy_tokens', 'deploy_tokens', 'read_repository'] as const,
    [of, 'settings/access_tokens', 'access_tokens', 'read_api'] as const,
  ]),
)('of a %s: %s', (of, page, kind, scope) => {
  beforeEach(() => prepare(of));
  const address = () => `${base}/-/${page}`;
  const create = async (fields: Record<string, string>) =>
    visitor.submit(await visitor.load(address()), { 'scopes[]': scope, ...fields }, 'new-token');

  it('of a form that is sent twice are one token, which both answers show', async () => {
    const form = await visitor.load(address());
    const fields = { name: 'Twice', 'scopes[]': scope };
    const both = await Promise.all([0, 1].map(() => visitor.submit(form.clone(), fields, 'new-token')));
    const [first, second] = await Promise.all(both.map(async (answer) => answer.text()));
    expect(issuedIn(first!)).toMatch(/^\S{20,}$/);
    expect([issuedIn(second!), usernameIn(second!)]).toEqual([issuedIn(first!), usernameIn(first!)]);
    expect(await listOf(kind)).toMatchObject([{ name: 'Twice' }]);
    expect(await (await visitor.load(address())).text()).not.toContain(issuedIn(first!));
  });

  it.each([
    ['without a name', 'name', { name: '' }, 'Name is '],
    ['with a long name', 'name', { name: 'a'.repeat(256) }, 'Name is too long'],
    ['with a day that is over', 'expires_at', { expires_at: '2001-01-01' }, 'Expires on must be in the future.'],
    ['with an invalid day', 'expires_at', { expires_at: `soon ${evil}` }, 'Expires on is invalid.'],
    ['without a scope', 'scopes', { 'scopes[]': '' }, 'Scopes '],
    ['with the scope of administrators', 'scopes', { 'scopes[]': 'sudo' }, 'Scopes '],
  ])('%s are refused beside the field, with what was typed', async (_what, field, fields, problem) => {
    const sent = { name: `Typed ${evil}`, ...fields };
    const refused = await create(sent);
    const text = await refused.text();
    expect([refused.status, issuedIn(text)]).toEqual([422, undefined]);
    expect(text).toContain(`<p id="new-token--${field}-problem" class="wrong">${problem}`);
    expect(text).toContain(sent.name.replace(evil, escaped));
    expect(text).not.toContain('<script');
    expect(await listOf(kind)).toEqual([]);
  });

  it('of another one are not revoked', async () => {
    const name = uniqueName('other');
    const { id } = of === 'project' ? await root.Projects.create({ name }) : await root.Groups.create(name, name);
    const others = `/${of}s/${id}/${kind}`;
    const body = { name: 'Other', scopes: [scope] };
    const made = (await askJson('POST', others, { token: connection.token, body })).body;
    const csrf = /name="csrf" value="([^"]+)"/.exec(await (await visitor.load(address())).text())![1]!;
    const sent = { csrf, token: uniqueName('token'), form: 'revoke', of: String(made.id) };
    expect((await visitor.load(address(), new URLSearchParams(sent))).status).toBe(422);
    const kept = await askJson('GET', `${others}/${made.id}`, { token: connection.token });
    expect(kept.body).toMatchObject({ revoked: false });
  });
});

describe.each(parents)('deploy tokens of a %s', (of) => {
  beforeEach(() => prepare(of));
  const address = () => `${base}/-/deploy_tokens`;

  it('are shown once with their username, fetch code, and are revoked at a second step', async () => {
    const fields = { name: `For ${evil}`, username: 'server', expires_at: '2099-05-06', 'scopes[]': 'read_repository' };
    const made = await (await visitor.submit(await visitor.load(address()), fields, 'new-token')).text();
    const secret = issuedIn(made)!;
    expect(usernameIn(made)).toBe('server');
    expect(made).not.toContain('<script');
    expect(canFetch('server', secret)).toBe(true);
    expect(await listOf('deploy_tokens')).toMatchObject([
      { name: fields.name, username: 'server', scopes: ['read_repository'], expires_at: '2099-05-06T00:00:00.000Z' },
    ]);
    const list = await visitor.load(address());
    const text = await list.clone().text();
    for (const words of [escaped, '<code>server</code>', '<code>read_repository</code>', '6 May 2099'])
      expect(text).toContain(words);
    expect(text).not.toContain(secret);
    expect(text).toMatch(/<details><summary[^>]*>Revoke…<\/summary>/);
    const revoked = await visitor.submit(list, {}, 'revoke');
    expect(await revoked.text()).toContain('There are no active deploy tokens.');
    await until('the end of the token', () => !canFetch('server', secret));
  });

  it('without a username get one, and an invalid one is refused beside its field', async () => {
    const fields = { name: 'Server', 'scopes[]': 'read_repository' };
    const made = await (await visitor.submit(await visitor.load(address()), fields, 'new-token')).text();
    expect(usernameIn(made)).toMatch(/^gitlab\+deploy-token-\d+$/);
    expect(canFetch(usernameIn(made)!, issuedIn(made)!)).toBe(true);
    const wrong = { ...fields, username: `no ${evil}` };
    const refused = await visitor.submit(await visitor.load(address()), wrong, 'new-token');
    const text = await refused.text();
    expect(refused.status).toBe(422);
    expect(text).toContain(`value="no ${escaped}"`);
    expect(text).toContain('<p id="new-token--username-problem" class="wrong">Username is invalid.');
  });
});

describe.each(parents)('access tokens of a %s', (of) => {
  beforeEach(() => prepare(of));
  const address = () => `${base}/-/settings/access_tokens`;
  const self = async (token: string) => askJson('GET', '/personal_access_tokens/self', { token });

  it('are shown once, work at once, and are rotated and revoked', async () => {
    const description = `About ${evil}`;
    const named = { name: `For ${evil}`, description, access_level: '30', expires_at: '2099-05-06' };
    const fields = { ...named, 'scopes[]': 'api' };
    const made = await (await visitor.submit(await visitor.load(address()), fields, 'new-token')).text();
    const token = issuedIn(made)!;
    expect(made).not.toContain('<script');
    expect((await self(token)).body).toMatchObject({ name: fields.name, scopes: ['api'], expires_at: '2099-05-06' });
    expect(await listOf('access_tokens')).toMatchObject([{ description, access_level: 30 }]);
    expect((await askJson('GET', api, { token })).status).toBe(200);
    const list = await visitor.load(address());
    const text = await list.clone().text();
    for (const words of [`About ${escaped}`, '<li>Developer</li>', '<code>api</code>', '6 May 2099'])
      expect(text).toContain(words);
    expect(text).not.toContain(token);

    const rotated = issuedIn(await (await visitor.submit(list, { expires_at: '2098-05-06' }, 'rotate')).text())!;
    await until('the end of the old token', async () => (await self(token)).status === 401);
    expect((await self(rotated)).body).toMatchObject({ expires_at: '2098-05-06' });
    const revoked = await visitor.submit(await visitor.load(address()), {}, 'revoke');
    expect(await revoked.text()).toContain('There are no active tokens.');
    await until('the end of the new token', async () => (await self(rotated)).status === 401);
  });

  it('have at most the role of their creator, who does not touch those above it', async () => {
    const keeper = await newUser('keeper');
    const [group] = fullPath.split('/');
    const role = { name: 'Keeper', base_access_level: 30, [`manage_${of}_access_tokens`]: true };
    const asRoot = { token: connection.token };
    const { id: member_role_id } = (await askJson('POST', `/groups/${group}/member_roles`, { ...asRoot, body: role }))
      .body;
    const member = { user_id: keeper.id, access_level: 30, member_role_id };
    expect((await askJson('POST', `/groups/${group}/members`, { ...asRoot, body: member })).status).toBe(201);
    const body = { name: 'Above', scopes: ['api'], access_level: 40 };
    const { id } = (await askJson('POST', `${api}/access_tokens`, { ...asRoot, body })).body;
    const own = new PageVisitor();
    await own.signIn(keeper.username, keeper.password);
    const page = await own.load(address());
    const text = await page.clone().text();
    const levels = [...text.matchAll(/<option value="(\d+)"/g)].map(([, level]) => level);
    expect(levels).toEqual(['10', '20', '30']);
    expect(text).toContain('<li>Maintainer</li>');
    expect(text).not.toContain('name="form" value="rotate"');
    const refused = await own.submit(page, { name: 'Too much', 'scopes[]': 'api', access_level: '40' }, 'new-token');
    expect([refused.status, issuedIn(await refused.text())]).toEqual([422, undefined]);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!;
    for (const form of ['rotate', 'revoke']) {
      const sent = { csrf, token: uniqueName('token'), form, of: String(id) };
      const answer = await own.load(address(), new URLSearchParams(sent));
      expect([answer.status, issuedIn(await answer.text())]).toEqual([422, undefined]);
    }
    expect(await listOf('access_tokens')).toMatchObject([{ id, name: 'Above' }]);
  });

  it('are not rotated until a day that is over', async () => {
    await visitor.submit(await visitor.load(address()), { name: 'Short', 'scopes[]': 'api' }, 'new-token');
    const refused = await visitor.submit(await visitor.load(address()), { expires_at: '2001-01-01' }, 'rotate');
    const text = await refused.text();
    expect(refused.status).toBe(422);
    expect(text).toMatch(/<p id="rotate-\d+-expires_at-problem" class="wrong">Expires on must be in the future\./);
    expect(text).toMatch(/<details open><summary[^>]*>Rotate…/);
  });
});

it('the deploy tokens of a group are also at /-/settings/repository', async () => {
  await prepare('group');
  const fields = { name: 'There', 'scopes[]': 'read_repository' };
  const page = await visitor.load(`${base}/-/settings/repository`);
  expect(issuedIn(await (await visitor.submit(page, fields, 'new-token')).text())).toMatch(/^\S{20,}$/);
  expect(await listOf('deploy_tokens')).toMatchObject([{ name: 'There' }]);
});

it('an access token of a group opens its projects, with the role of an owner', async () => {
  await prepare('group');
  const fields = { name: 'Owner', 'scopes[]': 'api', access_level: '50' };
  const made = await visitor.submit(await visitor.load(`${base}/-/settings/access_tokens`), fields, 'new-token');
  const token = issuedIn(await made.text())!;
  const project = await askJson('GET', `/projects/${encodeURIComponent(fullPath)}`, { token });
  expect([project.status, project.body.path_with_namespace]).toEqual([200, fullPath]);
  expect((await askJson('GET', `${api}/variables`, { token })).status).toBe(200);
});
