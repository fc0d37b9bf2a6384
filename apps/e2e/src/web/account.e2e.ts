import { newGpgKey } from '../identity/gpg-key';
import { PageVisitor } from '../identity/page-visitor';
import { newSshKey } from '../identity/ssh-key';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* The settings of the signed-in user: what their forms change is what the API shows. */

const settings = '/-/user_settings';
const evil = '"><script>alert(1)</script></textarea>';

let user: Awaited<ReturnType<typeof newUser>>;
let email: string;
const visitor = new PageVisitor();
const mine = async (path: string) => (await askJson('GET', path, { token: user.token })).body as never;

beforeAll(async () => {
  user = await newUser('settler');
  email = `${user.username}@example.com`;
  await visitor.signIn(user.username, user.password);
});

const paths = [
  ...['profile', 'personal_access_tokens', 'ssh_keys', 'gpg_keys', 'active_sessions'].map(
    (one) => `${settings}/${one}`,
  ),
  ...['', '/emails', '/personal_access_tokens', '/keys', '/gpg_keys', '/active_sessions', '/notifications'].map(
    (one) => `/-/profile${one}`,
  ),
  ...['/projects/new', '/groups/new'],
];

it.each(paths)('%s opens for users, and visitors sign in first and return to it', async (path) => {
  expect((await visitor.load(path)).status).toBe(200);
  const other = new PageVisitor();
  const page = await other.load(path);
  expect(new URL(page.url).pathname).toBe('/users/sign_in');
  const back = await other.submit(page, { login: user.username, password: user.password });
  expect([back.status, new URL(back.url).pathname]).toEqual([200, path]);
});

describe('access tokens', () => {
  const path = `${settings}/personal_access_tokens`;
  const valueIn = (text: string) => /<input id="issued" readonly value="([^"]+)"/i.exec(text)?.[1];

  it('are shown once, work at once, and are rotated and revoked', async () => {
    const fields = { name: `For ${evil}`, 'scopes[]': 'read_user', expires_at: '2099-05-06' };
    const made = await (await visitor.submit(await visitor.load(path), fields, 'new-token')).text();
    const token = valueIn(made)!;
    expect(made).not.toContain('<script');
    expect((await askJson('GET', '/user', { token })).body).toMatchObject({ username: user.username });
    expect((await askJson('GET', '/projects', { token })).status).toBe(403);
    const self = (await askJson('GET', '/personal_access_tokens/self', { token })).body;
    expect(self).toMatchObject({ name: fields.name, scopes: ['read_user'], expires_at: '2099-05-06' });

    const list = await visitor.load(path);
    expect(await list.clone().text()).not.toContain(token);
    const rotated = valueIn(await (await visitor.submit(list, {}, 'rotate')).text())!;
    expect((await askJson('GET', '/user', { token })).status).toBe(401);
    const rotatedSelf = (await askJson('GET', '/personal_access_tokens/self', { token: rotated })).body;
    await submitOf(String(rotatedSelf.id), path, 'revoke');
    expect((await askJson('GET', '/user', { token: rotated })).status).toBe(401);
    expect(await (await visitor.load(path)).text()).not.toContain('alert(1)');
  });

  it('of a form that is sent twice are one token, which both answers show', async () => {
    const page = await visitor.load(path);
    const fields = { name: 'Twice', 'scopes[]': 'api' };
    const both = await Promise.all([0, 1].map(async () => visitor.submit(page.clone(), fields, 'new-token')));
    const [first, second] = await Promise.all(both.map(async (answer) => valueIn(await answer.text())));
    expect(first).toMatch(/^\S{20,}$/);
    expect(second).toBe(first);
    expect(await mine('/personal_access_tokens?search=Twice')).toHaveLength(1);
  });

  it('without a scope are refused beside the field, with what was typed', async () => {
    const page = await visitor.submit(await visitor.load(path), { name: 'No scope' }, 'new-token');
    const text = await page.text();
    expect(page.status).toBe(422);
    expect(text).toContain('value="No scope"');
    expect(text).toMatch(/<fieldset aria-describedby="(new-token--scopes-problem)"><legend>Scopes<\/legend><p id="\1"/);
  });

  it('are filled in by a link', async () => {
    const text = await (await visitor.load(`${path}?name=A%20tool&scopes=api,read_user`)).text();
    expect(text).toContain('value="A tool"');
    expect(text.match(/name="scopes\[\]" value="(\w+)" checked/g)).toHaveLength(2);
  });

  it('act for other users only if an administrator creates them', async () => {
    const page = await visitor.load(path);
    expect(await page.clone().text()).not.toContain('value="sudo"');
    const refused = await visitor.submit(page, { name: 'Sudo', 'scopes[]': 'sudo' }, 'new-token');
    expect([refused.status, valueIn(await refused.text())]).toEqual([422, undefined]);
    const administrator = new PageVisitor();
    await administrator.signIn(connection.username, connection.password);
    const fields = { name: uniqueName('sudo'), 'scopes[]': 'sudo' };
    const made = await administrator.submit(await administrator.load(path), fields, 'new-token');
    expect(valueIn(await made.text())).toBeDefined();
  });

  it('of other users cannot be revoked', async () => {
    const other = await newUser('other');
    const { id } = (await askJson('GET', '/personal_access_tokens/self', { token: other.token })).body;
    const answer = await submitOf(String(id), path, 'revoke');
    expect(answer.status).toBe(422);
    expect((await askJson('GET', '/user', { token: other.token })).status).toBe(200);
  });
});

/** Sends a form of one record, also if the page does not show it. */
async function submitOf(id: string, path: string, form: string): Promise<Response> {
  const text = await (await visitor.load(path)).text();
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!;
  return visitor.load(path, new URLSearchParams({ csrf, token: uniqueName('token'), form, of: id }));
}

it('SSH keys are added, with their comment as title, and deleted', async () => {
  const path = `${settings}/ssh_keys`;
  const wrong = await visitor.submit(await visitor.load(path), { key: `nonsense ${evil}` }, 'new-key');
  const text = await wrong.text();
  expect(wrong.status).toBe(422);
  expect(text).toContain('nonsense &quot;>&lt;script>');
  expect(text).toContain('class="wrong"');
  const added = await visitor.submit(
    await visitor.load(path),
    { key: `${newSshKey()} ada@laptop`, usage_type: 'auth' },
    'new-key',
  );
  expect(await added.clone().text()).toContain('ada@laptop');
  expect(await mine('/user/keys')).toMatchObject([{ title: 'ada@laptop', usage_type: 'auth', expires_at: null }]);
  await visitor.submit(added, {}, 'delete');
  expect(await mine('/user/keys')).toEqual([]);
});

it('GPG keys are added and deleted; a text that is no key is refused, and shown again', async () => {
  const path = `${settings}/gpg_keys`;
  const page = await visitor.submit(await visitor.load(path), { key: 'no key' }, 'new-key');
  const text = await page.clone().text();
  expect(page.status).toBe(422);
  expect(text).toContain('>no key</textarea>');
  const key = newGpgKey();
  const added = await visitor.submit(page, { key }, 'new-key');
  expect(await mine('/user/gpg_keys')).toMatchObject([{ key }]);
  await visitor.submit(added, {}, 'delete');
  expect(await mine('/user/gpg_keys')).toEqual([]);
});

it('email addresses are added, not confirmed yet, and removed', async () => {
  const second = `${uniqueName('second')}@example.com`;
  const added = await visitor.submit(await visitor.load('/-/profile/emails'), { email: second }, 'add');
  const text = await added.clone().text();
  expect(text).toMatch(new RegExp(`${second}</bdi> <span class="tag">not confirmed`));
  const wrong = await visitor.submit(added.clone(), { email: connection.username }, 'add');
  expect(wrong.status).toBe(422);
  await visitor.submit(added, {}, 'remove');
  expect(await mine('/user/emails')).toEqual([]);
});

describe('the profile', () => {
  const path = `${settings}/profile`;

  it('is changed, and shown to others', async () => {
    const page = await visitor.load(path);
    await visitor.submit(page, {
      name: 'Ada',
      bio: evil,
      location: 'London',
      public_email: email,
      website_url: '',
    });
    const shown = await askJson('GET', `/users/${user.id}`, { token: connection.token });
    expect(shown.body).toMatchObject({ name: 'Ada', bio: evil, location: 'London', public_email: email });
    const others = await (await new PageVisitor().load(`/${user.username}`)).text();
    expect(others).toContain('London');
    expect(others).not.toContain('<script');
  });

  it('becomes private, and public again', async () => {
    await visitor.submit(await visitor.load(path), { ...(await typed()), private_profile: '1' });
    expect(await mine('/user')).toMatchObject({ private_profile: true, location: 'London' });
    await visitor.submit(await visitor.load(path), await typed());
    expect(await mine('/user')).toMatchObject({ private_profile: false });
  });

  it('is not overwritten by a form that was opened before', async () => {
    const before = await visitor.load(path);
    const fields = await typed();
    await visitor.submit(await visitor.load(path), { ...fields, location: 'Paris' });
    await visitor.submit(before.clone(), { ...fields, job_title: 'Engineer' });
    expect(await mine('/user')).toMatchObject({ location: 'Paris', job_title: 'Engineer' });
    const refused = await visitor.submit(before, { ...fields, location: 'Rome' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/value="Rome"/);
    expect(await mine('/user')).toMatchObject({ location: 'Paris' });
  });

  it('refuses an address of somebody else, a name without letters, and a page that is none', async () => {
    for (const wrong of [{ public_email: 'a@b.example' }, { name: ' ' }, { website_url: 'javascript:alert(1)' }]) {
      const page = await visitor.submit(await visitor.load(path), { ...(await typed()), ...wrong });
      expect([wrong, page.status]).toEqual([wrong, 422]);
    }
  });

  /** What a browser sends of the form as it is shown. */
  async function typed(): Promise<Record<string, string>> {
    const own = (await mine('/user')) as Record<string, string | null>;
    const names = ['name', 'bio', 'location', 'public_email', 'job_title', 'website_url', 'organization'];
    return Object.fromEntries([...names, 'linkedin', 'twitter', 'skype'].map((name) => [name, own[name] ?? '']));
  }
});

it('notifications are chosen, and a form changes only what its user changed', async () => {
  const path = '/-/profile/notifications';
  const fields = { level: 'custom', notification_email: email };
  await visitor.submit(await visitor.load(path), { ...fields, new_issue: '1', new_note: '1' });
  expect(await mine('/notification_settings')).toMatchObject({
    ...{ level: 'custom', notification_email: email },
    events: { new_issue: true, new_note: true, close_issue: false },
  });
  await visitor.submit(await visitor.load(path), { ...fields, new_note: '1' });
  expect(await mine('/notification_settings')).toMatchObject({ events: { new_issue: false, new_note: true } });
  await visitor.submit(await visitor.load(path), { level: 'disabled', notification_email: email, new_note: '1' });
  expect(await mine('/notification_settings')).toMatchObject({ level: 'disabled' });
});

it('sessions are listed, and one of them is ended from another browser', async () => {
  const path = `${settings}/active_sessions`;
  const person = await newUser('browsing');
  const [first, second] = [new PageVisitor(), new PageVisitor()];
  await first.signIn(person.username, person.password);
  await second.signIn(person.username, person.password);
  const page = await second.load(path);
  const text = await page.clone().text();
  expect((await first.load(path)).url).toContain(path);
  expect(text.match(/this browser/g)).toHaveLength(1);
  expect(text.match(/>Sign out there</g)).toHaveLength(1);
  await second.submit(page, {}, 'end');
  expect((await second.load(path)).url).toContain(path);
  expect(new URL((await first.load(path)).url).pathname).toBe('/users/sign_in');
});

type Person = Awaited<ReturnType<typeof newUser>>;

const endsOfSessions: [string, (browser: PageVisitor, person: Person) => Promise<unknown>][] = [
  [
    'a sign-out',
    async (browser) => {
      const csrf = /name="csrf" value="([^"]*)"/.exec(await (await browser.load(settings)).text())![1]!;
      return browser.load('/users/sign_out', new URLSearchParams({ csrf }));
    },
  ],
  ['a new password', (_, { id, password }) => root.Users.edit(id, { password })],
  ['a block', (_, { id }) => root.Users.block(id)],
];

it.each(endsOfSessions)('a copied cookie is worthless at once after %s', async (_what, end) => {
  const person = await newUser('copied');
  const browser = new PageVisitor();
  await browser.signIn(person.username, person.password);
  const copy = browser.copy();
  const path = `${settings}/active_sessions`;
  expect(new URL((await copy.load(path)).url).pathname).toBe(path);
  await end(browser, person);
  expect(new URL((await copy.load(path)).url).pathname).toBe('/users/sign_in');
});

it('a session of somebody else is not ended', async () => {
  const person = await newUser('watched');
  const browser = new PageVisitor();
  await browser.signIn(person.username, person.password);
  const other = new PageVisitor();
  await other.signIn(person.username, person.password);
  const shown = await (await browser.load(`${settings}/active_sessions`)).text();
  const id = /name="of" value="([^"]+)"/.exec(shown)![1]!;
  expect((await submitOf(id, `${settings}/active_sessions`, 'end')).status).toBe(422);
  expect(new URL((await other.load(`${settings}/profile`)).url).pathname).toBe(`${settings}/profile`);
});

describe('a new project', () => {
  it('is created in the own namespace, with a README', async () => {
    const name = uniqueName('By form');
    const made = await visitor.submit(await visitor.load('/projects/new'), {
      ...{ name, path: '', namespace_id: '', description: 'A tool', visibility: 'public', initialize_with_readme: '1' },
    });
    expect(made.status).toBe(200);
    const { pathname } = new URL(made.url);
    const project = (await askJson('GET', `/projects/${encodeURIComponent(pathname.slice(1))}`, { token: user.token }))
      .body;
    expect(project).toMatchObject({ name, visibility: 'public', description: 'A tool' });
    await until('a default branch', async () => {
      const { default_branch } = (await askJson('GET', `/projects/${project.id}`, { token: user.token })).body;
      return default_branch === 'main';
    });
  });

  it('is created in a group, which a link chooses; a path that is taken is refused beside the field', async () => {
    const path = uniqueName('of-form');
    const group = await root.Groups.create(path, path, { visibility: 'public' });
    expect(await (await visitor.load(`/${path}`)).text()).not.toContain('New project');
    await root.GroupMembers.add(group.id, 30, { userId: user.id });
    const page = await visitor.load(`/${path}`);
    const text = await page.text();
    expect(text).toContain(`href="/projects/new?namespace_id=${group.id}"`);
    expect(text).not.toContain('New subgroup');
    const form = await visitor.load(`/projects/new?namespace_id=${group.id}`);
    const fields = {
      name: 'A tool',
      path: 'tool',
      namespace_id: String(group.id),
      description: '',
      visibility: 'private',
    };
    expect(await form.clone().text()).toContain(`<option value="${group.id}" selected>`);
    const made = await visitor.submit(form.clone(), fields);
    expect(new URL(made.url).pathname).toBe(`/${path}/tool`);
    const again = await visitor.submit(form, { ...fields, name: 'Another tool' });
    expect(again.status).toBe(422);
    expect(await again.text()).toContain('class="wrong"');
  });
});

it('a new group and a subgroup of it are created', async () => {
  const path = uniqueName('formed');
  const fields = { name: 'Formed', path, description: '', visibility: 'public' };
  const made = await visitor.submit(await visitor.load('/groups/new'), fields);
  expect(new URL(made.url).pathname).toBe(`/groups/${path}`);
  const again = await visitor.submit(await visitor.load('/groups/new'), fields);
  expect(await again.clone().text()).toContain('class="wrong">Path has already been taken.');
  expect([again.status, await again.text()]).toEqual([422, expect.stringContaining(`value="${path}"`)]);
  const link = /href="(\/groups\/new\?parent_id=\d+)"/.exec(await made.text())![1]!;
  const below = await visitor.submit(await visitor.load(link), { ...fields, path: 'below' });
  expect(new URL(below.url).pathname).toBe(`/groups/${path}/below`);
});
