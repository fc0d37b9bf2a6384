import { PageVisitor } from '../identity/page-visitor';
import { newSshKey } from '../identity/ssh-key';
import { newUser, root, uniqueName } from '../server/connection';

/* Forms of the deploy keys of a project. */

const evil = '"><script>alert(1)</script></textarea>';
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>&lt;/textarea>';
const visitor = new PageVisitor();
let user: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  user = await newUser('maintainer');
  await visitor.signIn(user.username, user.password);
});

/** A new project without keys. */
async function newProject() {
  const { id, path_with_namespace } = await user.client.Projects.create({ name: uniqueName('keys') });
  return { id, path: `/${path_with_namespace}/-/deploy_keys` };
}
async function withKey() {
  const { id, path } = await newProject();
  const key = await user.client.DeployKeys.create(id, 'Server', newSshKey());
  return { id, path, key, show: () => user.client.DeployKeys.show(id, key.id) };
}
const pathOf = ({ url }: Response) => new URL(url).pathname;

it('a key is added, and shown with its fingerprint', async () => {
  const { id, path } = await newProject();
  const fields = { key: `${newSshKey()} ada@laptop`, title: `For ${evil}`, can_push: '1', expires_at: '2099-05-06' };
  const added = await visitor.submit(await visitor.load(path), fields, 'new-key');
  const [key] = await user.client.DeployKeys.all({ projectId: id });
  expect(key).toMatchObject({ title: fields.title, can_push: true, expires_at: '2099-05-06T00:00:00.000Z' });
  const text = await added.text();
  expect([added.status, pathOf(added)]).toEqual([200, path]);
  for (const words of [escaped, String(key!.fingerprint_sha256), 'May push', 'Never used', '6 May 2099'])
    expect(text).toContain(words);
  expect(text).not.toContain('<script');
  expect((await visitor.load(path.replace('deploy_keys', 'settings/repository'))).status).toBe(200);
});

it('a key without the right to push, and without an end, is the default', async () => {
  const { id, path } = await newProject();
  await visitor.submit(await visitor.load(path), { key: newSshKey(), title: 'Server' }, 'new-key');
  expect(await user.client.DeployKeys.all({ projectId: id })).toMatchObject([{ can_push: false, expires_at: null }]);
});

it('a key that is refused is shown as it was typed, with the problem at its field', async () => {
  const { id, path } = await newProject();
  const taken = newSshKey();
  await user.client.UserSSHKeys.create('Own', taken);
  for (const [fields, field, problem] of [
    [{ key: `nonsense ${evil}` }, 'key', 'Key is invalid.'],
    [{ key: taken }, 'key', 'Key has already been taken.'],
    [{ title: '' }, 'title', 'Title is empty.'],
    [{ title: 'a'.repeat(256) }, 'title', 'Title is too long (maximum is 255 characters).'],
    [{ expires_at: '2001-01-01' }, 'expires_at', 'Expires on must be in the future.'],
    [{ expires_at: `soon ${evil}` }, 'expires_at', 'Expires on is invalid.'],
  ] as const) {
    const sent = { key: newSshKey(), title: `Typed ${evil}`, can_push: '1', ...fields };
    const refused = await visitor.submit(await visitor.load(path), sent, 'new-key');
    const text = await refused.text();
    expect([fields, refused.status]).toEqual([fields, 422]);
    expect(text).toContain(`<p id="new-key--${field}-problem" class="wrong">${problem}</p>`);
    expect(text).toContain(sent.title.replace(evil, escaped));
    expect(text).toContain(`>${sent.key.replace(evil, escaped)}</textarea>`);
    expect(text).toContain('name="can_push" value="1" checked');
    expect(text).not.toContain('<script');
  }
  expect(await user.client.DeployKeys.all({ projectId: id })).toEqual([]);
});

it('two users change a key at once: both changes stay, or the second one is refused', async () => {
  const { path, show } = await withKey();
  const before = await visitor.load(path);
  await visitor.submit(await visitor.load(path), { title: 'Renamed' }, 'change-key');
  const saved = await visitor.submit(before.clone(), { title: 'Server', can_push: '1' }, 'change-key');
  expect(await saved.text()).toContain('The changes are saved.');
  expect(await show()).toMatchObject({ title: 'Renamed', can_push: true });
  const refused = await visitor.submit(before, { title: `Mine ${evil}`, can_push: '1' }, 'change-key');
  const text = await refused.clone().text();
  expect([refused.status, /<details open><summary[^>]*>Change/.test(text)]).toEqual([422, true]);
  expect(text).toContain('Title was changed by somebody else meanwhile');
  expect(text).toContain(`value="Mine ${escaped}"`);
  expect(await show()).toMatchObject({ title: 'Renamed' });
  await visitor.submit(refused, { title: 'Mine', can_push: '1' }, 'change-key');
  expect(await show()).toMatchObject({ title: 'Mine', can_push: true });
});

it('the title of a key of two projects stays, and the page says why', async () => {
  const { path, key, show } = await withKey();
  const other = await newProject();
  await user.client.DeployKeys.enable(other.id, key.id);
  const refused = await visitor.submit(await visitor.load(path), { title: 'Renamed', can_push: '1' }, 'change-key');
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('Title stays as it is, because other projects can use the key.');
  expect(await show()).toMatchObject({ title: 'Server', can_push: true });
});

it('a key is removed at a second step', async () => {
  const { id, path } = await withKey();
  const page = await visitor.load(path);
  expect(await page.clone().text()).toMatch(/<details><summary[^>]*>Remove…<\/summary>.*>Remove Server<\/button>/);
  const removed = await visitor.submit(page, {}, 'remove-key');
  expect(await removed.text()).toContain('There are no deploy keys.');
  expect(await user.client.DeployKeys.all({ projectId: id })).toEqual([]);
});

it('a key of another project is neither changed nor removed', async () => {
  const { path } = await withKey();
  const other = await root.Projects.create({ name: uniqueName('other') });
  const { id } = await root.DeployKeys.create(other.id, 'Other', newSshKey());
  for (const form of ['change-key', 'remove-key']) {
    const text = await (await visitor.load(path)).text();
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!;
    const sent = { csrf, token: uniqueName('token'), form, of: String(id), title: 'Mine' };
    expect((await visitor.load(path, new URLSearchParams(sent))).status).toBe(422);
  }
  expect(await root.DeployKeys.show(other.id, id)).toMatchObject({ title: 'Other' });
});

it('long lists have pages', async () => {
  const { id, path } = await newProject();
  for (let at = 1; at <= 21; at += 1) await user.client.DeployKeys.create(id, `Key ${at}.`, newSshKey());
  const [first, second] = [await visitor.load(path), await visitor.load(`${path}?page=2`)];
  expect((await first.text()).match(/>Remove Key \d+\.</g)).toHaveLength(20);
  expect((await second.text()).match(/>Remove Key \d+\.</g)).toHaveLength(1);
});
