import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Forms of members of projects and groups: additions, changes, removals, and members who leave. */

const visitor = new PageVisitor();
let manager: Awaited<ReturnType<typeof newUser>>;
let inherited: Awaited<ReturnType<typeof newUser>>;
let groupId: number;
let projectId: number;
const pages = new Map<string, string>();

beforeAll(async () => {
  [manager, inherited] = await Promise.all([newUser('manager'), newUser('inherited')]);
  await visitor.signIn(manager.username, manager.password);
  const path = uniqueName('member-forms');
  const above = await root.Groups.create(path, path, { visibility: 'public' });
  const group = await root.Groups.create('Sub', 'sub', { parentId: above.id, visibility: 'public' });
  const project = await root.Projects.create({ path: 'tool', namespaceId: group.id, visibility: 'public' });
  await root.GroupMembers.add(above.id, 20, { userId: inherited.id });
  await root.GroupMembers.add(group.id, 50, { userId: manager.id });
  [groupId, projectId] = [group.id, project.id];
  pages.set('project', `/${path}/sub/tool/-/project_members`);
  pages.set('group', `/groups/${path}/sub/-/group_members`);
});

const signedIn = async ({ username, password }: { username: string; password: string }) => {
  const own = new PageVisitor();
  await own.signIn(username, password);
  return own;
};
/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];
/** The forms in the item of a user, as names. */
const formsFor = (text: string, username: string): string[] => {
  const item = text.split('<li>').find((each) => each.includes(`@${username}<`)) ?? '';
  const own = item.slice(0, item.indexOf('</li>') + 1 || undefined);
  return [...own.matchAll(/name="form" value="([^"]*)"/g)].map(([, name]) => name!);
};

describe.each(['project', 'group'])('a member of a %s', (kind) => {
  const members = () => (kind === 'project' ? root.ProjectMembers : root.GroupMembers);
  const owner = () => (kind === 'project' ? projectId : groupId);
  const show = (userId: number) => members().show(owner(), userId);
  const open = () => visitor.load(pages.get(kind)!);
  const add = async (fields: Record<string, string>) => visitor.submit(await open(), fields, 'add-member');
  /** The page with the members whose names contain a text. */
  const found = (name: string) => visitor.load(`${pages.get(kind)}?search=${name}`);

  it.each(['', '@'])('is added by the username after %j', async (prefix) => {
    const user = await newUser('added');
    const username = prefix + user.username.toUpperCase();
    const added = await add({ username, access_level: '20', expires_at: '2099-05-06' });
    expect([added.status, new URL(added.url).pathname]).toEqual([200, pages.get(kind)]);
    expect(await show(user.id)).toMatchObject({ access_level: 20, expires_at: '2099-05-06' });
  });

  it('that is refused is shown as it was typed', async () => {
    const { username } = await newUser('refused');
    const evil = '"><script>alert(1)</script>';
    for (const [fields, problem] of [
      [{ username: evil }, 'Username does not belong to a user.'],
      [{ username: '@' }, 'Username does not belong to a user.'],
      [{ username, access_level: '15' }, 'No such level here'],
      [{ username, expires_at: '2001-01-01' }, 'Expiry date cannot be a date in the past.'],
      [
        { username: manager.username },
        kind === 'group' ? 'The user is a direct member already.' : 'inherited membership',
      ],
      [
        { username: inherited.username, access_level: '10' },
        'Access level should be greater than or equal to Reporter',
      ],
    ] as const) {
      const refused = await add({ access_level: '20', ...fields });
      const text = await refused.text();
      expect([fields, refused.status, alertOf(text)]).toEqual([fields, 422, expect.stringContaining(problem)]);
      expect(text).toMatch(/<details open><summary[^>]*>Add a member/);
      expect(text).toContain(`value="${fields.username.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`);
      expect(text).not.toContain('<script');
    }
  });

  it('keeps what two users change at the same time, or refuses the second one', async () => {
    const user = await newUser('changed');
    await members().add(owner(), 20, { userId: user.id });
    const [first, second] = [await found(user.username), await found(user.username)];
    await members().edit(owner(), user.id, 30);
    const saved = await visitor.submit(first, { access_level: '20', expires_at: '2099-05-06' }, 'change-member');
    expect(saved.status).toBe(200);
    expect(await show(user.id)).toMatchObject({ access_level: 30, expires_at: '2099-05-06' });
    const refused = await visitor.submit(second, { access_level: '40', expires_at: '' }, 'change-member');
    const text = await refused.clone().text();
    expect([refused.status, /<details open><summary[^>]*>Change/.test(text)]).toEqual([422, true]);
    expect(text).toContain('Access level was changed by somebody else meanwhile');
    await visitor.submit(refused, { access_level: '40', expires_at: '' }, 'change-member');
    expect(await show(user.id)).toMatchObject({ access_level: 40, expires_at: null });
  });

  it('is removed at a second step', async () => {
    const user = await newUser('removed');
    await members().add(owner(), 20, { userId: user.id });
    const page = await found(user.username);
    expect(await page.clone().text()).toMatch(/<details><summary[^>]*>Remove…<\/summary><p>[^<]*<\/p><form/);
    await visitor.submit(page, {}, 'remove-member');
    await expect(show(user.id)).rejects.toThrow();
  });

  it('leaves', async () => {
    const user = await newUser('leaving');
    await members().add(owner(), 20, { userId: user.id });
    const own = await signedIn(user);
    const page = await own.load(`${pages.get(kind)}?search=${user.username}`);
    expect(formsFor(await page.clone().text(), user.username)).toEqual(['leave']);
    const left = await own.submit(page, {}, 'leave');
    expect([left.status, new URL(left.url).pathname]).toEqual([200, '/']);
    await expect(show(user.id)).rejects.toThrow();
  });

  it('has no form if it is inherited', async () => {
    const text = await (await found(inherited.username)).text();
    expect(text).toContain(`@${inherited.username}<`);
    expect(formsFor(text, inherited.username)).toEqual([]);
  });
});

it('the last owner of a group stays, and sees why', async () => {
  const user = await newUser('owner');
  const path = uniqueName('owned');
  await user.client.Groups.create(path, path);
  const own = await signedIn(user);
  const page = await own.load(`/groups/${path}/-/group_members`);
  const refused = await own.submit(page, {}, 'leave');
  expect([refused.status, alertOf(await refused.text())]).toEqual([422, 'A group has at least one owner.']);
});

it('nobody changes the owner of a personal project', async () => {
  const user = await newUser('owner');
  const path = uniqueName('personal');
  const { path_with_namespace } = await user.client.Projects.create({ name: path, path });
  const own = await signedIn(user);
  const text = await (await own.load(`/${path_with_namespace}/-/project_members`)).text();
  expect(formsFor(text, user.username)).toEqual([]);
  expect(text).toContain('value="add-member"');
});

it('maintainers of a project cannot grant more than their level, and do not change owners', async () => {
  const user = await newUser('maintainer');
  await root.ProjectMembers.add(projectId, 40, { userId: user.id });
  const own = await signedIn(user);
  const text = await (await own.load(pages.get('project')!)).text();
  const levels = [...text.slice(0, text.indexOf('</select>')).matchAll(/<option value="(\d+)"/g)];
  expect(levels.map(([, level]) => level)).toEqual(['10', '20', '30', '40']);
  expect(formsFor(text, manager.username)).toEqual([]);
  expect((await (await own.load(pages.get('group')!)).text()).includes('add-member')).toBe(false);
});
