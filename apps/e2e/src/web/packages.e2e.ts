import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Pages of packages: files are found and downloaded; maintainers delete them. */

const [visitor, maintainer] = [new PageVisitor(), new PageVisitor()];
const group = uniqueName('packages');
let id: number;
let base: string;

beforeAll(async () => {
  const user = await newUser('packer');
  await maintainer.signIn(user.username, user.password);
  const namespaceId = (await root.Groups.create(group, group, { visibility: 'public' })).id;
  const project = await root.Projects.create({ path: 'tool', namespaceId, visibility: 'public' });
  id = project.id;
  base = `/${group}/tool/-/packages`;
  await root.ProjectMembers.add(id, 40, { userId: user.id });
  for (const [name, filename, text] of [
    ['app', 'a.txt', 'first'],
    ['app', 'a.txt', 'second'],
    ['app', 'deep/b~1.txt', 'deep'],
    ['library', 'c.txt', 'library'],
  ] as const)
    await root.PackageRegistry.publish(id, name, '1.0', { content: new Blob([text]), filename });
});

const open = async (address: string) => {
  const answer = await visitor.load(address);
  return { status: answer.status, text: await answer.text() };
};
const idOf = async (packageName: string) => (await root.Packages.all({ projectId: id, packageName }))[0]!.id;

it('are listed in their project and its group, and searched', async () => {
  for (const list of [base, `/groups/${group}/-/packages`]) {
    const { text } = await open(list);
    for (const name of ['app', 'library']) expect(text).toContain(`${base}/${await idOf(name)}"><bdi>${name}</bdi>`);
    const searched = await open(`${list}?search=lib`);
    expect([searched.text.includes('<bdi>library</bdi>'), searched.text.includes('<bdi>app</bdi>')]).toEqual([
      true,
      false,
    ]);
  }
  expect((await open(`/${group}/tool`)).text).toContain(`href="${base}"`);
});

it('have files, of which the newest of a name is downloaded', async () => {
  const address = `${base}/${await idOf('app')}`;
  const links = [...(await open(address)).text.matchAll(/href="([^"]*\/files\/[^"]*)"/g)].map(([, href]) => href!);
  expect(links).toEqual(['/files/deep/b~1.txt', '/files/a.txt', '/files/a.txt'].map((below) => address + below));
  expect(await Promise.all([...new Set(links)].map(async (link) => (await open(link)).text))).toEqual([
    'deep',
    'second',
  ]);
  expect((await open(`${address}/files/none.txt`)).status).toBe(404);
});

it('and their files are deleted by maintainers only', async () => {
  const library = await idOf('library');
  const address = `${base}/${library}`;
  expect((await open(address)).text).not.toContain('name="form"');
  const [file] = await root.Packages.allFiles(id, library);
  const without = await maintainer.submit(await maintainer.load(address), {}, 'delete-file', file!.id);
  expect([without.status, (await without.clone().text()).includes('c.txt')]).toEqual([200, false]);
  const list = await maintainer.submit(without, {}, 'delete');
  expect([list.status, new URL(list.url).pathname]).toEqual([200, base]);
  expect((await open(address)).status).toBe(404);
});
