import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';

/* Forms of badges of projects and groups: creation, edits and deletion. A project shows those of its groups, too. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let owner: Awaited<ReturnType<typeof newUser>>;
let groupId: number;
let groupPath: string;

beforeAll(async () => {
  owner = await newUser('owner');
  await visitor.signIn(owner.username, owner.password);
  groupPath = uniqueName('badge-forms');
  groupId = (await root.Groups.create(groupPath, groupPath, { visibility: 'public' })).id;
  await root.GroupMembers.add(groupId, 50, { userId: owner.id });
});

const kinds = ['project', 'group'] as const;

/** A new project or subgroup with the page of its badges. */
async function newParent(kind: (typeof kinds)[number]) {
  const path = uniqueName('tool');
  const isProject = kind === 'project';
  const { id } = isProject
    ? await root.Projects.create({ path, namespaceId: groupId, visibility: 'public' })
    : await root.Groups.create(path, path, { parentId: groupId, visibility: 'public' });
  const badges = isProject ? root.ProjectBadges : root.GroupBadges;
  const page = `${isProject ? '' : '/groups'}/${groupPath}/${path}/-/badges`;
  return {
    id,
    path: page,
    open: () => visitor.load(page),
    own: async () => (await badges.all(id)).filter((badge) => badge.kind === kind),
    newBadge: (name: string) => badges.add(id, urls.link_url, urls.image_url, { name }),
    edit: (badgeId: number, options: object) => badges.edit(id, badgeId, options),
  };
}

const urls = { link_url: 'https://example.com/link', image_url: 'https://example.com/image.svg' };
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];

describe.each(kinds)('of a %s', (kind) => {
  it('a badge is added once, and its placeholders are replaced in a project', async () => {
    const { id, open, own } = await newParent(kind);
    const page = await open();
    expect(await page.clone().text()).toContain('%{commit_sha}');
    const fields = { name: `New ${evil}`, link_url: 'https://example.com/%{project_id}', image_url: urls.image_url };
    const send = () => visitor.submit(page.clone() as Response, fields, 'new-badge');
    const [added] = await Promise.all([send(), send()]);
    const text = await added.text();
    expect(added.status).toBe(200);
    // A group has no values for placeholders, so its link leads nowhere.
    const link =
      kind === 'project' ? `href="https://example.com/${id}"` : '<bdi>https://example.com/%{project_id}</bdi>';
    for (const shown of [link, urls.image_url, 'New &quot;>&lt;script>']) expect(text).toContain(shown);
    for (const hidden of ['<script', `<img src="${urls.image_url}`]) expect(text).not.toContain(hidden);
    expect(await own()).toMatchObject([fields]);
  });

  it.each([
    ['without a link', { link_url: '' }, 'Link is empty.'],
    ['with another scheme', { link_url: `javascript:${evil}` }, 'Only allowed schemes are http, https.'],
    ['with an invalid image', { image_url: `none ${evil}` }, 'Image is blocked: URI is invalid.'],
    ['with a long image', { image_url: `https://example.com/${'a'.repeat(255)}` }, 'Image is too long'],
  ])('a badge %s is refused, and the form shows what was typed', async (_what, fields, problem) => {
    const { open, own } = await newParent(kind);
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
    const { open, own, newBadge, edit } = await newParent(kind);
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
    const { open, own, newBadge } = await newParent(kind);
    await newBadge('Deleted');
    const page = await open();
    expect(await page.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary><p>[^<]*<\/p><form/);
    await visitor.submit(page, {}, 'delete');
    expect(await own()).toEqual([]);
  });
});

it('an image of this server is shown', async () => {
  const { open } = await newParent('project');
  const added = await visitor.submit(
    await open(),
    { ...urls, name: 'Own', image_url: `${connection.url}/%{project_path}.svg` },
    'new-badge',
  );
  expect(await added.text()).toMatch(new RegExp(`<img src="/${groupPath}/tool-\\w+\\.svg" alt="Own"`));
});

it('an image of this server with placeholders is an address in a group', async () => {
  const { open } = await newParent('group');
  const image_url = `${connection.url}/%{project_path}.svg`;
  const added = await visitor.submit(await open(), { ...urls, name: 'Own', image_url }, 'new-badge');
  const text = await added.text();
  expect([text.includes(`<bdi>${image_url}</bdi>`), text.includes('<img')]).toEqual([true, false]);
});

it('a badge of a group has no forms, and is not changed', async () => {
  const { path, open } = await newParent('project');
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
  const { id, path, open, own } = await newParent('project');
  const guest = new PageVisitor();
  const { username, password } = await newUser('guest');
  await guest.signIn(username, password);
  expect([(await guest.load(path)).status, (await new PageVisitor().load(path)).status]).toEqual([404, 404]);
  await root.Projects.archive(id);
  await visitor.submit(await open(), { ...urls, name: 'Archived' }, 'new-badge');
  expect(await own()).toMatchObject([{ name: 'Archived' }]);
});
