import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';

/* Pages for administrators are shown to nobody else, and their forms are taken for nobody else. */

const roles = ['anonymous', 'user', 'administrator'] as const;
type Role = (typeof roles)[number];

const visitors = new Map<Role, PageVisitor>(roles.map((role) => [role, new PageVisitor()]));
const tokens = new Map<Role, string>([['administrator', connection.token]]);
const created: { hook: number; node: number } = { hook: 0, node: 0 };
let person: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  const [user, other] = await Promise.all([newUser('plain'), newUser('other')]);
  person = other;
  tokens.set('user', user.token);
  await visitors.get('user')!.signIn(user.username, user.password);
  await visitors.get('administrator')!.signIn(connection.username, connection.password);
  created.hook = (await root.SystemHooks.create('http://127.0.0.1:1/', { repositoryUpdateEvents: false } as never)).id;
  const name = uniqueName('node');
  created.node = (await root.GeoNodes.create(name, `https://${name}.example.com/`)).id;
});
afterAll(() => Promise.all([root.SystemHooks.remove(created.hook), root.GeoNodes.remove(created.node)]));

const pages = () => [
  ...['/admin', '/admin/users', '/admin/users/new', `/admin/users/${person.username}`],
  `/admin/users/${person.username}/impersonation_tokens`,
  ...[`/admin/users/${person.username}/edit`, '/admin/hooks', `/admin/hooks/${created.hook}/edit`],
  ...['/admin/application_settings/general', '/admin/application_settings/network'],
  ...['/admin/application_settings/appearance', '/admin/geo/nodes', '/admin/repository_storage_moves'],
  ...[`/admin/geo/nodes/${created.node}/edit`, '/admin/geo/projects', '/admin/background_jobs'],
];

it('administrators find the pages by a link in the head, and from each of them', async () => {
  const visitor = visitors.get('administrator')!;
  expect(await (await visitor.load('/explore')).text()).toContain('<a href="/admin">Admin</a>');
  for (const path of pages()) {
    const page = await visitor.load(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toContain('<nav class="parts" aria-label="Administration"><a href="/admin">Overview</a>');
  }
});

it('for other users they are the page for missing addresses, and nothing leads there', async () => {
  const visitor = visitors.get('user')!;
  const missing = await textOf(visitor, '/admin/none-such');
  expect(missing).not.toContain('href="/admin');
  for (const path of [...pages(), '/admin/users/none-such', '/admin/hooks/999999/edit']) {
    const page = await visitor.load(path);
    expect([path, page.status]).toEqual([path, 404]);
    const text = await page.text();
    expect([path, text.includes('<h1>Page not found</h1>'), text.includes('href="/admin')]).toEqual([
      path,
      true,
      false,
    ]);
    if (path !== '/admin/background_jobs') expect(withoutTokens(text)).toBe(missing);
  }
});

it('visitors sign in first, and learn nothing about records', async () => {
  for (const path of [...pages(), '/admin/users/none-such', '/admin/hooks/999999/edit']) {
    const response = await visitors.get('anonymous')!.send(path);
    expect([path, response.status, response.headers.get('location')]).toEqual([
      ...[path, 303],
      `/users/sign_in?return_to=${encodeURIComponent(path)}`,
    ]);
  }
});

const textOf = async (visitor: PageVisitor, path: string) => withoutTokens(await (await visitor.load(path)).text());
const withoutTokens = (text: string): string => text.replaceAll(/name="csrf" value="[^"]*"/g, '');

it.each(roles)('forms are shown to, and taken for %s exactly if the API allows it', async (role) => {
  const visitor = visitors.get(role)!;
  const { id, username } = person;
  const page = `/admin/users/${username}`;
  const [byForm, byApi] = [accountNamed(uniqueName('form')), accountNamed(uniqueName('api'))];
  const { password, ...facts } = byForm;
  const doomed = await newUser('doomed');
  const hook = { url: 'http://127.0.0.1:1/' };
  const [nodeByForm, nodeByApi] = [nodeNamed(uniqueName('form')), nodeNamed(uniqueName('api'))];
  const newToken = { form: 'new-token', name: 'By form', 'scopes[]': 'api' };
  const tokenByApi = { name: 'By API', scopes: ['api'] };
  const rows: Row[] = [
    ['/admin/users/new', { form: 'new-user', ...facts, secret_password: password }, 'POST', '/users', byApi],
    [`${page}/edit`, { form: 'user', note: `By form of ${role}` }, 'PUT', `/users/${id}`, { note: 'By API' }],
    [page, { form: 'block' }, 'POST', `/users/${id}/unblock`, {}],
    [page, { form: 'ban' }, 'POST', `/users/${id}/unban`, {}],
    [`${page}/impersonation_tokens`, newToken, 'POST', `/users/${id}/impersonation_tokens`, tokenByApi],
    [`/admin/users/${doomed.username}`, { form: 'delete', confirm: doomed.username }, 'GET', '/application/settings'],
    ['/admin/hooks', { form: 'new-hook', ...hook }, 'POST', '/hooks', hook],
    [`/admin/hooks/${created.hook}/edit`, { form: 'hook', name: role }, 'PUT', `/hooks/${created.hook}`, {}],
    [`/admin/hooks/${created.hook}/edit`, { form: 'test' }, 'POST', `/hooks/${created.hook}`, {}],
    ['/admin/application_settings/appearance', { form: 'appearance' }, 'GET', '/application/appearance'],
    ['/admin/application_settings/general', { form: 'settings' }, 'GET', '/application/settings'],
    ['/admin/application_settings/network', { form: 'settings' }, 'GET', '/application/settings'],
    [`/admin/geo/nodes/${created.node}/edit`, { form: 'node' }, 'PUT', `/geo_nodes/${created.node}`, {}],
    ['/admin/geo/nodes', { form: 'new-node', ...nodeByForm }, 'POST', '/geo_nodes', nodeByApi],
    [await nodesPage(), { form: 'repair', of: String(created.node) }, 'POST', `/geo_nodes/${created.node}/repair`, {}],
  ];
  for (const [path, fields, method, route, body] of rows) {
    const sent = await sendForm(visitor, path, fields);
    const answer = await askJson(method, route, { token: tokens.get(role) ?? '', ...(body && { body }) });
    const isAllowed = answer.status < 300;
    expect([path, fields.form, sent]).toEqual([path, fields.form, { isShown: isAllowed, isTaken: isAllowed }]);
    expect([role, isAllowed]).toEqual([role, role === 'administrator']);
  }
  await removeHooks(hook.url);
  await removeNodes([nodeByForm.name, nodeByApi.name]);
});

/** A page, one of its forms, and a request to the API that needs the same right. */
type Row = readonly [path: string, fields: { form: string } & Record<string, string>, ...request: Request];
type Request = [method: string, route: string, body?: object];

const accountNamed = (username: string) => ({
  ...{ name: username, username, email: `${username}@example.com`, password: `secret-${username}` },
});

const nodeNamed = (name: string) => ({ name, url: `https://${name}.example.com/` });

/** Sends a form of a page, also if the page does not show it. */
async function sendForm(visitor: PageVisitor, path: string, { form, of, ...fields }: Row[1]) {
  const page = await visitor.load(path);
  const text = await page.clone().text();
  const isShown = text.includes(`name="form" value="${form}"`);
  if (isShown) return { isShown, isTaken: (await visitor.change(page, fields, form, of)).status === 200 };
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!;
  const all = { csrf, token: uniqueName('token'), form, ...(of && { of }), ...fields };
  const { status } = await visitor.send(path, new URLSearchParams(all));
  return { isShown, isTaken: status === 200 || status === 303 };
}

/** The page of the list that has the node: other tests declare nodes as well. */
async function nodesPage(): Promise<string> {
  for (let page = 1; page < 20; page += 1) {
    const path = `/admin/geo/nodes?page=${page}`;
    const text = await (await visitors.get('administrator')!.load(path)).text();
    if (text.includes(`name="of" value="${created.node}"`)) return path;
  }
  throw new Error('No page shows the node');
}

async function removeHooks(url: string): Promise<void> {
  const { body } = await askJson('GET', '/hooks?per_page=100', { token: connection.token });
  const hooks = (body as unknown as { id: number; url: string }[]).filter((one) => one.url === url);
  for (const { id } of hooks) if (id !== created.hook) await root.SystemHooks.remove(id);
}

async function removeNodes(names: readonly string[]): Promise<void> {
  const { body } = await askJson('GET', '/geo_nodes?per_page=100', { token: connection.token });
  const nodes = (body as unknown as { id: number; name: string }[]).filter(({ name }) => names.includes(name));
  for (const { id } of nodes) await root.GeoNodes.remove(id);
}
