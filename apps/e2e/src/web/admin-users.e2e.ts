import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';

/* Accounts as administrators see and change them on pages. */

const evil = `"><script>alert(1)</script>`;
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>';
const visitor = new PageVisitor();
beforeAll(() => visitor.signIn(connection.username, connection.password));

const show = async (id: number) => (await askJson('GET', `/users/${id}`, { token: connection.token })).body;
const find = async (username: string) =>
  (await askJson('GET', `/users?username=${username}`, { token: connection.token })).body as unknown as {
    id: number;
  }[];
const at = (username: string) => `/admin/users/${username}`;
const textOf = async (path: string) => (await visitor.load(path)).text();
const pathOf = ({ url }: Response) => new URL(url).pathname;
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];

describe('the list', () => {
  it('is searched by name, username and email address', async () => {
    const { username } = await newUser('searched');
    for (const search of [username, `The ${username}`, `${username}@example.com`])
      expect(await textOf(`/admin/users?search=${encodeURIComponent(search)}`)).toContain(`href="${at(username)}"`);
    expect(await textOf('/admin/users?search=nobody-has-this-name')).toContain('No user matches.');
  });

  it('is filtered', async () => {
    const prefix = uniqueName('filtered');
    const [plain, blocked, external, admin] = await Promise.all(
      ['plain', 'blocked', 'external', 'admin'].map((kind) => newUser(`${prefix}-${kind}`)),
    );
    await root.Users.block(blocked!.id);
    await root.Users.edit(external!.id, { external: true });
    await root.Users.edit(admin!.id, { admin: true });
    await askJson('POST', `/projects/user/${plain!.id}`, { token: connection.token, body: { name: 'Own' } });
    const shown = async (state: string) => {
      const text = await textOf(`/admin/users?${new URLSearchParams({ search: prefix, state })}`);
      return [plain, blocked, external, admin].map((user) => text.includes(`href="${at(user!.username)}"`));
    };
    for (const [state, expected] of [
      ['all', [true, true, true, true]],
      ['active', [true, false, true, true]],
      ['blocked', [false, true, false, false]],
      ['external', [false, false, true, false]],
      ['administrators', [false, false, false, true]],
      ['without projects', [false, true, true, true]],
      ['without second factor', [true, true, true, true]],
    ] as const)
      expect([state, await shown(state)]).toEqual([state, expected]);
    const text = await textOf(`/admin/users?search=${prefix}`);
    for (const tag of ['blocked', 'external', 'administrator']) expect(text).toContain(`class="tag after">${tag}<`);
    await root.Users.remove(admin!.id, { hardDelete: true });
  });

  it('has pages', async () => {
    const prefix = uniqueName('paged');
    for (let count = 0; count < 21; count += 1) await newUser(prefix);
    const links = async (query: string) =>
      (await textOf(`/admin/users?search=${prefix}${query}`)).match(/href="\/admin\/users\/paged/g)?.length;
    expect([await links(''), await links('&page=2')]).toEqual([20, 1]);
  });
});

describe('a new user', () => {
  it('gets the given facts and password, and must change it at first', async () => {
    const username = uniqueName('fresh');
    const [email, password] = [`${username}@example.com`, `secret-${username}`];
    const page = await visitor.change(
      await visitor.load('/admin/users/new'),
      { ...{ name: `Fresh ${evil}`, username, email, secret_password: password, note: evil }, skip_confirmation: '1' },
      'new-user',
    );
    const text = await page.text();
    expect([page.status, pathOf(page)]).toEqual([200, at(username)]);
    expect(text).toContain(`Fresh ${escaped}`);
    for (const hidden of ['<script', password]) expect(text).not.toContain(hidden);
    const [found] = await find(username);
    expect(await show(found!.id)).toMatchObject({ email, note: evil, is_admin: false, external: false });
    const own = new PageVisitor();
    expect((await own.signIn(username, password)).status).toBe(200);
  });

  it('chooses a password by a link if none is given', async () => {
    const username = uniqueName('mailed');
    const page = await visitor.change(
      await visitor.load('/admin/users/new'),
      { name: 'Mailed', username, email: `${username}@example.com`, external: '1' },
      'new-user',
    );
    expect(pathOf(page)).toBe(at(username));
    expect(await show((await find(username))[0]!.id)).toMatchObject({ external: true, confirmed_at: null });
  });

  it('that is refused is shown as it was typed, without the password', async () => {
    const { username } = await newUser('taken');
    for (const [fields, problem] of [
      [{ username: `${username}-2`, email: `${username}@example.com` }, 'Another user has the address.'],
      [{ username, email: `${username}-2@example.com` }, 'Another user or a group has the path.'],
      [{ username: 'a b', email: 'x@example.com' }, 'Username'],
      [{ username: uniqueName('x'), email: `x@example.com`, secret_password: 'short' }, 'Password'],
    ] as const) {
      const typed = { name: evil, secret_password: 'a-hidden-password', ...fields };
      const refused = await visitor.change(await visitor.load('/admin/users/new'), typed, 'new-user');
      const text = await refused.text();
      expect([fields, refused.status, alertOf(text)]).toEqual([fields, 422, expect.stringContaining(problem)]);
      expect(text).toContain(`value="${escaped}"`);
      for (const hidden of ['<script', typed.secret_password]) expect(text).not.toContain(`value="${hidden}`);
    }
  });
});

describe('a user', () => {
  it('is shown with facts, identities and memberships', async () => {
    const user = await newUser('facts');
    await askJson('PUT', `/users/${user.id}`, {
      token: connection.token,
      body: { provider: 'corp', extern_uid: `uid-${user.username}`, note: 'A note' },
    });
    const group = await root.Groups.create('A group', uniqueName('facts'));
    await root.GroupMembers.add(group.id, 30, { userId: user.id });
    const page = await visitor.load(at(user.username));
    const text = await page.clone().text();
    for (const shown of [`ID ${user.id}`, `${user.username}@example.com`, 'A note', 'corp', `uid-${user.username}`])
      expect(text).toContain(shown);
    expect(text).toContain(`Group <bdi>A group</bdi><span class="tag after">Developer</span>`);
    await visitor.submit(page, {}, 'delete-identity', 'corp');
    expect(await show(user.id)).toMatchObject({ identities: [] });
  });

  it('is changed, also in part while others change it', async () => {
    const user = await newUser('edited');
    const edit = `${at(user.username)}/edit`;
    const [first, second] = [await visitor.load(edit), await visitor.load(edit)];
    await root.Users.edit(user.id, { location: 'London' });
    const username = uniqueName('renamed');
    const changes = { name: evil, username, external: '1', can_create_group: '', projects_limit: '7', note: 'Watched' };
    const saved = await visitor.change(first, changes, 'user');
    expect([saved.status, pathOf(saved)]).toEqual([200, at(username)]);
    expect(await saved.text()).toContain('The changes are saved.');
    expect(await show(user.id)).toMatchObject({
      ...{ name: evil, username, external: true, can_create_group: false, projects_limit: 7, note: 'Watched' },
      ...{ location: 'London', is_admin: false },
    });
    const refused = await visitor.change(second, { location: 'Rome' }, 'user');
    // The address with the former username is gone.
    expect(refused.status).toBe(422);
    expect(await show(user.id)).toMatchObject({ location: 'London' });
    const third = await visitor.load(`${at(username)}/edit`);
    await root.Users.edit(user.id, { location: 'Paris' });
    const conflict = await visitor.change(third, { location: 'Rome' }, 'user');
    expect([conflict.status, alertOf(await conflict.text())]).toEqual([
      ...[422, expect.stringContaining('Location was changed by somebody else meanwhile')],
    ]);
  });

  it('becomes an administrator, and the last steps back are refused by the API alone', async () => {
    const user = await newUser('raised');
    const edit = `${at(user.username)}/edit`;
    await visitor.change(await visitor.load(edit), { admin: '1' }, 'user');
    expect(await show(user.id)).toMatchObject({ is_admin: true });
    await visitor.change(await visitor.load(edit), { admin: '' }, 'user');
    expect(await show(user.id)).toMatchObject({ is_admin: false });
  });

  it('gets a new address, at once or after a confirmation', async () => {
    const user = await newUser('moved');
    const edit = `${at(user.username)}/edit`;
    const address = `${uniqueName('new')}@example.com`;
    await visitor.change(await visitor.load(edit), { email: address, skip_reconfirmation: '1' }, 'user');
    expect(await show(user.id)).toMatchObject({ email: address });
    const other = `${uniqueName('new')}@example.com`;
    await visitor.change(await visitor.load(edit), { email: other }, 'user');
    expect(await show(user.id)).toMatchObject({ email: address, unconfirmed_email: other });
    expect(await textOf(at(user.username))).toContain(`New address, not confirmed: ${other}`);
  });

  it('gets a new password, which ends the sessions and is shown nowhere', async () => {
    const user = await newUser('locked-out');
    const own = new PageVisitor();
    await own.signIn(user.username, user.password);
    const secret = uniqueName('a-new-secret');
    const edit = `${at(user.username)}/edit`;
    const saved = await visitor.change(await visitor.load(edit), { secret_password: secret }, 'user');
    expect([saved.status, (await saved.text()).includes(secret)]).toEqual([200, false]);
    expect(pathOf(await own.load('/-/user_settings/profile'))).toBe('/users/sign_in');
    expect(pathOf(await own.signIn(user.username, secret))).toBe('/-/profile/password');
    const refused = await visitor.change(await visitor.load(edit), { secret_password: 'x', name: 'Typed' }, 'user');
    const text = await refused.text();
    expect([refused.status, text.includes('value="Typed"'), text.includes('Enter it again')]).toEqual([
      422,
      true,
      true,
    ]);
  });

  it('has impersonation tokens, which are shown once and revoked', async () => {
    const user = await newUser('impersonated');
    const path = `${at(user.username)}/impersonation_tokens`;
    const fields = { name: `A tool ${evil}`, 'scopes[]': 'read_user', expires_at: '2099-01-01' };
    const created = await visitor.change(await visitor.load(path), fields, 'new-token');
    const text = await created.text();
    const token = /id="issued" readonly value="([^"]+)"/i.exec(text)![1]!;
    expect(text).toContain(`A tool ${escaped}`);
    expect((await askJson('GET', '/user', { token })).body).toMatchObject({ id: user.id });
    const again = await visitor.load(path);
    const shown = await again.clone().text();
    for (const hidden of ['<script', token, 'value="sudo"']) expect(shown).not.toContain(hidden);
    const refused = await visitor.change(again.clone() as Response, { name: 'No scope' }, 'new-token');
    expect([refused.status, (await refused.text()).includes('value="No scope"')]).toEqual([422, true]);
    const list = (await askJson('GET', `/users/${user.id}/impersonation_tokens`, { token: connection.token })).body;
    const [made] = (list as unknown as { id: number; name: string }[]).filter(({ name }) => name.startsWith('A tool'));
    await visitor.submit(again, {}, 'revoke', made!.id);
    expect((await askJson('GET', '/user', { token })).status).toBe(401);
  });

  it('is blocked, deactivated and banned, and gets access again', async () => {
    const user = await newUser('states');
    let page = await visitor.load(at(user.username));
    for (const [form, state, offered] of [
      ['block', 'blocked', ['unblock']],
      ['unblock', 'active', ['block', 'deactivate', 'ban']],
      ['deactivate', 'deactivated', ['block', 'activate']],
      ['activate', 'active', ['block', 'deactivate', 'ban']],
      ['ban', 'banned', ['unban']],
      ['unban', 'active', ['block', 'deactivate', 'ban']],
    ] as const) {
      page = await visitor.submit(page, {}, form);
      expect(await show(user.id)).toMatchObject({ state });
      const forms = [...(await page.clone().text()).matchAll(/name="form" value="((?:un)?b\w+|(?:de)?activate)"/g)];
      expect([form, forms.map(([, name]) => name)]).toEqual([form, offered]);
    }
  });

  it('that was active lately is not deactivated, and the page says why', async () => {
    const { username, password } = await newUser('active');
    await new PageVisitor().signIn(username, password);
    const refused = await visitor.submit(await visitor.load(at(username)), {}, 'deactivate');
    expect([refused.status, alertOf(await refused.text())]).toEqual([
      ...[422, expect.stringContaining('Only users who have stayed away')],
    ]);
  });

  it('of one’s own is not blocked', async () => {
    const refused = await visitor.submit(await visitor.load(at(connection.username)), {}, 'block');
    expect([refused.status, alertOf(await refused.text())]).toEqual([...[422, 'Users cannot block themselves.']]);
  });

  it('is deleted after the username was typed; the sole owner of a group only with contributions', async () => {
    const user = await newUser('doomed');
    await user.client.Groups.create('Orphans', uniqueName('orphans'));
    const path = at(user.username);
    const wrong = await visitor.submit(await visitor.load(path), { confirm: 'somebody' }, 'delete');
    expect([wrong.status, await show(user.id)]).toMatchObject([422, { state: 'active' }]);
    const owner = await visitor.submit(await visitor.load(path), { confirm: user.username }, 'delete');
    expect([owner.status, alertOf(await owner.text())]).toEqual([422, expect.stringContaining('without an owner')]);
    const gone = await visitor.submit(await visitor.load(path), { confirm: user.username, hard_delete: '1' }, 'delete');
    expect([gone.status, pathOf(gone)]).toEqual([200, '/admin/users']);
    expect(await find(user.username)).toEqual([]);
    expect((await visitor.load(path)).status).toBe(404);
  });

  it.each(['none-such', 'none%20such', '1'])('%s is not found', async (name) => {
    expect((await visitor.load(at(name))).status).toBe(404);
    expect((await visitor.load(`${at(name)}/edit`)).status).toBe(404);
  });
});
