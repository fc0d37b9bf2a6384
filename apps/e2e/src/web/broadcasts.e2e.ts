import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Broadcast messages at the top of pages. Each is for the pages of one project, because all tests share the server. */

const evil = `"><script>alert(1)</script>`;
let path: string;
let developer: PageVisitor;
beforeAll(async () => {
  const { username, password, id } = await newUser();
  const project = await root.Projects.create({ name: uniqueName('broadcast'), visibility: 'public' });
  await root.ProjectMembers.add(project.id, 30, { userId: id });
  path = `/${project.path_with_namespace}`;
  developer = new PageVisitor();
  await developer.signIn(username, password);
});

const { token } = connection;
const broadcast = async (fields: object): Promise<number> => {
  const body = { message: evil, target_path: `${path}*`, ...fields };
  return Number((await askJson('POST', '/broadcast_messages', { token, body })).body.id);
};
const remove = (id: number) => askJson('DELETE', `/broadcast_messages/${id}`, { token });

async function bannersAt(at: string, visitor = new PageVisitor()): Promise<string | undefined> {
  const text = await (await visitor.load(at)).text();
  expect(text).not.toContain('<script');
  return /<section aria-label="Messages from the administrators" class="banners">(.*?)<\/section>/s.exec(text)?.[1];
}

const shown = '<p><bdi>&quot;>&lt;script>alert(1)&lt;/script></bdi></p>';

it('are shown as text, on the pages that they are for, until they are deleted', async () => {
  const id = await broadcast({});
  await until('a message', async () => (await bannersAt(path)) === shown);
  expect(await bannersAt(`${path}/-/issues`, developer)).toBe(shown);
  expect(await bannersAt('/explore')).toBeUndefined();
  await remove(id);
  await until('no message', async () => (await bannersAt(path)) === undefined);
});

it('are shown to the levels that they are for, at their time, and only as banners', async () => {
  const ids = [
    await broadcast({ message: 'Tomorrow', starts_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-02T00:00:00Z' }),
    await broadcast({ message: 'Ring', broadcast_type: 'notification' }),
    await broadcast({ target_access_levels: [30] }),
  ];
  await until('a message', async () => (await bannersAt(path, developer)) === shown);
  expect(await bannersAt(path)).toBeUndefined();
  for (const id of ids) await remove(id);
});

it('are few, and short', async () => {
  const ids: number[] = [];
  for (const letter of ['a', 'b', 'c', 'd']) ids.push(await broadcast({ message: letter.repeat(2000) }));
  const expected = ['d', 'c', 'b'].map((letter) => `<p><bdi>${letter.repeat(1000)}…</bdi></p>`).join('');
  await until('a message', async () => (await bannersAt(path)) === expected);
  for (const id of ids) await remove(id);
});
