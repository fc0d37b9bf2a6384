import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Settings of a group: general ones, and its address and end. */

const evil = '"><script>alert(1)</script>';
const visitor = new PageVisitor();
let owner: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  owner = await newUser('owner');
  await visitor.signIn(owner.username, owner.password);
});

async function newGroup(over: { parentId?: number; visibility?: 'public' | 'private' } = {}) {
  const name = uniqueName('settings');
  const { id, full_path } = await owner.client.Groups.create(name, name, over);
  return { id, path: name, fullPath: full_path, base: `/groups/${full_path}` };
}
const show = (id: number) => owner.client.Groups.show(id);
const edit = (base: string) => visitor.load(`${base}/-/edit`);
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];
const isSaved = (text: string): boolean => text.includes('The changes are saved.');
const pathOf = ({ url }: Response) => new URL(url).pathname;

it('are changed, and the page says so', async () => {
  const { id, base } = await newGroup();
  const page = await edit(base);
  expect(isSaved(await page.clone().text())).toBe(false);
  const saved = await visitor.change(
    page,
    {
      ...{ name: 'Das Rad', description: `${evil}\r\nMore`, visibility: 'public', request_access_enabled: '' },
      ...{ project_creation_level: 'noone', subgroup_creation_level: 'owner', default_branch_protection: '0' },
      share_with_group_lock: '1',
    },
    'settings',
  );
  expect([saved.status, pathOf(saved), isSaved(await saved.text())]).toEqual([200, `${base}/-/edit`, true]);
  expect(await show(id)).toMatchObject({
    ...{ name: 'Das Rad', description: `${evil}\nMore`, visibility: 'public', request_access_enabled: false },
    ...{ project_creation_level: 'noone', subgroup_creation_level: 'owner', default_branch_protection: 0 },
    ...{ share_with_group_lock: true, emails_enabled: true },
  });
  await visitor.change(await edit(base), { description: '', default_branch_protection: '3' }, 'settings');
  expect(await show(id)).toMatchObject({ description: '', name: 'Das Rad', default_branch_protection: 3 });
  const again = await (await edit(base)).text();
  expect([again.includes('<script'), isSaved(again)]).toEqual([false, false]);
});

it('show what was typed after they were refused', async () => {
  const parent = await newGroup({ visibility: 'private' });
  const { id, base, path } = await newGroup({ parentId: parent.id, visibility: 'private' });
  for (const [changes, problem] of [
    [{ name: '', description: 'Typed' }, "Name can't be blank."],
    [{ name: `x${evil}`, description: 'Typed' }, 'Name can contain only letters'],
    [{ description: 'x'.repeat(501) }, 'Description is too long'],
    [{ visibility: 'public', description: 'Typed' }, 'Visibility level'],
  ] as const) {
    const refused = await visitor.change(await edit(base), changes, 'settings');
    const text = await refused.text();
    expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining(problem)]);
    expect(text).toContain(`>${changes.description}</textarea>`);
    expect(text).not.toContain('<script');
  }
  expect(await show(id)).toMatchObject({ name: path, description: '', visibility: 'private' });
});

it('keep what two users change at the same time, or refuse the second one', async () => {
  const { id, base } = await newGroup();
  const [first, second] = [await edit(base), await edit(base)];
  await owner.client.Groups.edit(id, { description: 'By another one' });
  await visitor.change(first, { project_creation_level: 'maintainer' }, 'settings');
  expect(await show(id)).toMatchObject({ description: 'By another one', project_creation_level: 'maintainer' });
  const refused = await visitor.change(second, { description: 'Mine' }, 'settings');
  expect([refused.status, alertOf(await refused.clone().text())]).toEqual([
    422,
    expect.stringMatching(/^Description was/),
  ]);
  await visitor.change(refused, {}, 'settings');
  expect(await show(id)).toMatchObject({ description: 'Mine', project_creation_level: 'maintainer' });
});

it('lead to a new path, and refuse one that is taken', async () => {
  const [one, other] = [await newGroup(), await newGroup()];
  const refused = await visitor.submit(await edit(one.base), { path: other.path }, 'rename');
  const text = await refused.clone().text();
  expect([refused.status, text]).toEqual([422, expect.stringMatching(/<details open><summary[^>]*>Change the path/)]);
  expect(text).toContain('Path has already been taken.');
  const path = uniqueName('renamed');
  const renamed = await visitor.submit(refused, { path }, 'rename');
  expect([renamed.status, pathOf(renamed)]).toEqual([200, `/groups/${path}/-/edit`]);
  const old = await edit(one.base);
  expect([old.status, pathOf(old)]).toEqual([200, `/groups/${path}/-/edit`]);
});

it('move the group to another group, and to the top level', async () => {
  const [parent, elsewhere] = [await newGroup(), await newGroup()];
  const { id, path, base } = await newGroup();
  const page = await edit(base);
  const text = await page.clone().text();
  expect(text).toContain(`<option value="${parent.path}"`);
  expect(text).not.toContain(`<option value="${path}"`);
  expect(text).not.toContain('to the top level');
  for (const [wrong, problem] of [
    [evil, 'Path of the new parent group does not belong to a group.'],
    [owner.username, 'Path of the new parent group does not belong to a group.'],
    [path, 'Cannot transfer group to itself'],
    ['', 'Group is already a root group.'],
  ] as const) {
    const refused = await visitor.submit(page.clone(), { group_id: wrong }, 'transfer');
    const shown = await refused.text();
    expect([wrong, refused.status, alertOf(shown)]).toEqual([wrong, 422, expect.stringContaining(problem)]);
    expect(shown).toMatch(/<details open><summary[^>]*>Transfer…/);
    expect(shown).not.toContain('<script');
  }
  const moved = await visitor.submit(page, { group_id: ` ${parent.path} ` }, 'transfer');
  expect([moved.status, pathOf(moved)]).toEqual([200, `/groups/${parent.path}/${path}/-/edit`]);
  expect(await show(id)).toMatchObject({ parent_id: parent.id });
  const again = await visitor.submit(moved, { group_id: elsewhere.path }, 'transfer');
  expect(await show(id)).toMatchObject({ parent_id: elsewhere.id });
  expect(await again.clone().text()).toContain('Leave it empty to move the group to the top level.');
  const top = await visitor.submit(again, { group_id: '' }, 'transfer');
  expect([top.status, pathOf(top)]).toEqual([200, `/groups/${path}/-/edit`]);
  expect(await show(id)).toMatchObject({ parent_id: null });
});

it('delete a group after its path was typed, and lead to the group above it', async () => {
  const parent = await newGroup();
  const { id, base, path, fullPath } = await newGroup({ parentId: parent.id });
  const refused = await visitor.submit(await edit(base), { confirm: path }, 'delete');
  const text = await refused.clone().text();
  expect([refused.status, text]).toEqual([422, expect.stringMatching(/<details open><summary[^>]*>Delete…/)]);
  expect(await show(id)).toMatchObject({ id });
  const gone = await visitor.submit(refused, { confirm: fullPath }, 'delete');
  expect([gone.status, pathOf(gone)]).toEqual([200, `/${parent.path}`]);
  await expect(show(id)).rejects.toThrow();
  expect((await edit(base)).status).toBe(404);
  const last = await visitor.submit(await edit(parent.base), { confirm: parent.fullPath }, 'delete');
  expect([last.status, pathOf(last)]).toEqual([200, '/']);
});

it('are linked for those who may open them', async () => {
  const { id, base, path } = await newGroup({ visibility: 'public' });
  const [maintainer, developer] = [await newUser('maintainer'), await newUser('developer')];
  await root.GroupMembers.add(id, 40, { userId: maintainer.id });
  await root.GroupMembers.add(id, 30, { userId: developer.id });
  const below = ['edit', 'variables', 'settings/access_tokens', 'deploy_tokens', 'hooks', 'badges'];
  const settings = below.map((page) => `${base}/-/${page}`);
  const rows: [user: { username: string; password: string }, open: string[]][] = [
    [owner, settings],
    [maintainer, [`${base}/-/deploy_tokens`]],
    [developer, []],
  ];
  for (const [{ username, password }, open] of rows) {
    const own = new PageVisitor();
    await own.signIn(username, password);
    const text = await (await own.load(base)).text();
    expect(/href="(\/groups\/[^"]*)">Settings</.exec(text)?.[1]).toBe(open[0]);
    for (const address of settings) {
      const page = await own.load(address);
      expect([username, address, page.status]).toEqual([username, address, open.includes(address) ? 200 : 404]);
      const [, links = ''] = /<nav class="parts" aria-label="Settings">(.*?)<\/nav>/s.exec(await page.text()) ?? [];
      if (page.status === 200) expect([...links.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual(open);
    }
  }
  expect((await visitor.load(`/${path}/-/edit`)).status).toBe(200);
});
