import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Pages of members: roles, where they come from, and until when they are valid. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let groupPath: string;
let projectPath: string;
let projectId: number;
let reader: Awaited<ReturnType<typeof newUser>>;
let guest: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  [reader, guest] = await Promise.all([newUser('reader'), newUser('guest')]);
  await visitor.signIn(reader.username, reader.password);
  const path = uniqueName('members');
  const group = await root.Groups.create(`The ${path}`, path, { visibility: 'public' });
  const sub = await root.Groups.create('Sub', 'sub', { parentId: group.id, visibility: 'public' });
  const project = await root.Projects.create({ path: 'tool', namespaceId: sub.id, visibility: 'public' });
  [groupPath, projectPath, projectId] = [`${path}/sub`, `/${path}/sub/tool`, project.id];
  await root.GroupMembers.add(group.id, 20, { userId: reader.id });
  await root.GroupMembers.add(sub.id, 30, { userId: guest.id, expiresAt: '2099-05-06' });
  await root.ProjectMembers.add(project.id, 40, { userId: reader.id });
  await root.Users.edit(guest.id, { name: `Name ${evil}` });
});

const open = async (address: string) => {
  const response = await visitor.load(address);
  return { status: response.status, text: await response.text() };
};
/** The text of each item of a list. */
const itemsOf = (text: string): string[] =>
  [...text.matchAll(/<li>(<p>.*?)<\/li>/gs)].map(([, item]) =>
    item!.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
  );
const itemOf = (text: string, username: string): string | undefined =>
  itemsOf(text).find((item) => item.includes(`@${username} `));

it('the members of a project have their highest role, direct or inherited, and its last day', async () => {
  const page = async () => (await open(`${projectPath}/-/project_members`)).text;
  await until('the new name', async () => (await page()).includes('<bdi>Name &quot;>&lt;script>'));
  const text = await page();
  expect(itemOf(text, reader.username)).toMatch(/Maintainer.*Direct member since/);
  expect(itemOf(text, guest.username)).toMatch(/Developer.*Member of a group above since.*until 6 May 2099/);
  expect(itemOf(text, 'root')).toMatch(/Owner.*Member of a group above/);
  expect(text).not.toContain('<script');
});

it.each(['', '/groups'])('the members of a group are at %s/<path>/-/group_members', async (prefix) => {
  const { text } = await open(`${prefix}/${groupPath}/-/group_members`);
  expect(itemOf(text, reader.username)).toMatch(/Reporter.*Member of a group above/);
  expect(itemOf(text, guest.username)).toMatch(/Developer.*Direct member/);
});

it('members are found by name', async () => {
  for (const [search, count] of [
    [reader.username, 1],
    ['no such name', 0],
  ] as const) {
    const { text } = await open(`${projectPath}/-/project_members?search=${encodeURIComponent(search)}`);
    expect([search, itemsOf(text).length]).toEqual([search, count]);
  }
});

it('the list has pages', async () => {
  for (let number = 1; number <= 20; number++) {
    const { id } = await newUser('member');
    await root.ProjectMembers.add(projectId, 10, { userId: id });
  }
  const [one, two] = [
    await open(`${projectPath}/-/project_members`),
    await open(`${projectPath}/-/project_members?page=2`),
  ];
  expect([itemsOf(one.text).length, itemsOf(two.text).length]).toEqual([20, 3]);
});

it('earlier addresses of a group redirect', async () => {
  const path = uniqueName('before');
  const { id } = await root.Groups.create(path, path, { visibility: 'public' });
  await root.Groups.edit(id, { path: `${path}-after` });
  await until('the new path', async () => {
    const { status, url } = await visitor.load(`/groups/${path}/-/group_members`);
    return status === 200 && new URL(url).pathname === `/groups/${path}-after/-/group_members`;
  });
});
