import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';

/* Forms of badges of a project: creation, edits and deletion; badges of groups are shown. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let maintainer: Awaited<ReturnType<typeof newUser>>;
let groupId: number;
let groupPath: string;

beforeAll(async () => {
  maintainer = await newUser('maintainer');
  await visitor.signIn(maintainer.username, maintainer.password);
  groupPath = uniqueName('badge-forms');
  groupId = (await root.Groups.create(groupPath, groupPath, { visibility: 'public' })).id;
  await root.GroupMembers.add(groupId, 40, { userId: maintainer.id });
});

/** A new project with the page of its badges. */
async function newProject() {
  const path = uniqueName('tool');
  const { id } = await root.Projects.create({ path, namespaceId: groupId, visibility: 'public' });
  const badges = root.ProjectBadges;
  return {
    id,
    path: `/${groupPath}/${path}/-/badges`,
    open: () => visitor.load(`/${groupPath}/${path}/-/badges`),
    own: async () => (await badges.all(id)).filter(({ kind }) => kind === 'project'),
    newBadge: (name: string) => badges.add(id, urls.link_url, urls.image_url, { name }),
    edit: (badgeId: number, options: object) => badges.edit(id, badgeId, options),
  };
}

const urls = { link_url: 'https://example.com/link', image_url: 'https://example.com/image.svg' };
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];

it('a badge is added once, and its placeholders are replaced', async () => {
  const { id, open, own } = await newProject();
  const page = await open();
  expect(await page.clone().text()).toContain('%{commit_sha}');
  const fields = { name: `New ${evil}`, link_url: 'https://example.com/%{project_id}', image_url: urls.image_url };
  const send = () => visitor.submit(page.clone() as Response, fields, 'new-badge');
  const [added] = await Promise.all([send(), send()]);
  const text = await added.text();
  expect(added.status).toBe(200);
  for (const shown of [`href="https://example.com/${id}"`, urls.image_url, 'New &quot;>&lt;script>'])
    expect(text).toContain(shown);
  for (const hidden of ['<script', `<img src="${urls.image_url}`]) expect(text).not.toContain(hidden);
  expect(await own()).toMatchObject([fields]);
});

it('an image of this server is shown', async () => {
  const { open } = await newProject();
  const added = await visitor.submit(
    await open(),
    { ...urls, name: 'Own', image_url: `${connection.url}/%{project_path}.svg` },
    'new-badge',
  );
  expect(await added.text()).toMatch(new RegExp(`<img src="/${groupPath}/tool-\\w+\\.svg" alt="Own"`));
});

it.each([
  ['without a link', { link_url: '' }, 'Link url'],
  ['with another scheme', { link_url: `javascript:${evil}` }, 'Only allowed schemes are http, https.'],
  ['with an invalid image', { image_url: `none ${evil}` }, 'Image url is blocked: URI is invalid.'],
  ['with a long image', { image_url: `https://example.com/${'a'.repeat(255)}` }, 'Image url is too long'],
])('a badge %s is refused, and the form shows what was typed', async (_what, fields, problem) => {
  const { open, own } = await newProject();
  const typed = { ...urls, ...fields, name: `Typed ${evil}` };
  const refused = await visitor.submit(await open(), typed, 'new-badge');
  const text = await refused.text();
  expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining(problem)]);
  expect(text).toMatch(/<p id="(new-badge--\w+-problem)" class="wrong">.*aria-describedby="[^"]*\1"/s);
  for (const value of Object.values(typed).filter((one) => one !== ''))
    expect(text).toContain(`value="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`);
  expect(text).not.toContain('<script');
  expect(await own()).toEqual([]);
});

it('a badge keeps what two users change at the same time, or refuses the second one', async () => {
  const { open, own, newBadge, edit } = await newProject();
  const { id } = await newBadge('Old');
  const [first, second] = [await open(), await open()];
  await edit(id, { name: 'By API' });
  const saved = await visitor.submit(first, { ...urls, name: 'Old', link_url: 'https://example.com/form' }, 'badge');
  expect([saved.status, (await saved.text()).includes('The changes are saved.')]).toEqual([200, true]);
  expect(await own()).toMatchObject([{ name: 'By API', ...urls, link_url: 'https://example.com/form' }]);
  const refused = await visitor.submit(second, { ...urls, name: 'Own' }, 'badge');
  const text = await refused.clone().text();
  expect([refused.status, /<details open><summary[^>]*>Change/.test(text)]).toEqual([422, true]);
  expect(text).toContain('Name was changed by somebody else meanwhile');
  await visitor.submit(refused, { ...urls, name: 'Own' }, 'badge');
  expect(await own()).toMatchObject([{ name: 'Own' }]);
});

it('a badge is deleted at a second step', async () => {
  const { open, own, newBadge } = await newProject();
  await newBadge('Deleted');
  const page = await open();
  expect(await page.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary><p>[^<]*<\/p><form/);
  await visitor.submit(page, {}, 'delete');
  expect(await own()).toEqual([]);
});

it('a badge of a group has no forms, and is not changed', async () => {
  const { path, open } = await newProject();
  const name = uniqueName('of-group');
  const { id } = await root.GroupBadges.add(groupId, urls.link_url, urls.image_url, { name });
  const text = await (await open()).text();
  expect(text).toMatch(new RegExp(`${name}</bdi><span class="tag after">of a group`));
  for (const form of ['badge', 'delete']) expect(text).not.toContain(`name="form" value="${form}"`);
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
  const form = new URLSearchParams({ csrf, token: uniqueName('token'), form: 'delete', of: String(id) });
  expect((await visitor.send(path, form)).status).toBeGreaterThanOrEqual(400);
  expect(await root.GroupBadges.show(groupId, id)).toMatchObject({ name });
  await root.GroupBadges.remove(groupId, id);
});

it('the page of badges is for those who may add one, also in an archived project', async () => {
  const { id, path, open, own } = await newProject();
  const guest = new PageVisitor();
  const { username, password } = await newUser('guest');
  await guest.signIn(username, password);
  expect([(await guest.load(path)).status, (await new PageVisitor().load(path)).status]).toEqual([404, 404]);
  await root.Projects.archive(id);
  await visitor.submit(await open(), { ...urls, name: 'Archived' }, 'new-badge');
  expect(await own()).toMatchObject([{ name: 'Archived' }]);
});
