import { PageVisitor } from '../identity/page-visitor';
import { ask, newUser, root, uniqueName } from '../server/connection';

/* Pictures and uploads of private projects and groups, for the browsers of their members only. */

const [member, stranger, nobody] = [new PageVisitor(), new PageVisitor(), new PageVisitor()];
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const file = { content: new Blob([new Uint8Array(png)], { type: 'image/png' }), filename: 'dot.png' };
const path = uniqueName('private');
let groupId: number;
let projectId: number;

beforeAll(async () => {
  const [user, other] = [await newUser('member'), await newUser('stranger')];
  await member.signIn(user.username, user.password);
  await stranger.signIn(other.username, other.password);
  groupId = (await root.Groups.create(path, path, { visibility: 'private' })).id;
  const project = { path: 'tool', namespaceId: groupId, visibility: 'private', avatar: file } as const;
  projectId = (await root.Projects.create(project)).id;
  await root.GroupMembers.add(groupId, 20, { userId: user.id });
});

/** Loads an address of a file as each visitor. @returns status by visitor, and what the member got */
async function loadAsEach(address: string) {
  const [own, ...others] = await Promise.all([member, stranger, nobody].map((visitor) => visitor.load(address)));
  return { own: Buffer.from(await own!.arrayBuffer()), statuses: [own!, ...others].map(({ status }) => status) };
}

it('an image in an issue is shown', async () => {
  const { markdown } = await root.Projects.uploadForReference(projectId, file);
  await root.Issues.create(projectId, 'With an image', { description: markdown });
  const text = await (await member.load(`/${path}/tool/-/issues/1`)).text();
  const [, image] = /<img src="([^"]*)"/.exec(text)!;
  expect(await loadAsEach(image!)).toEqual({ own: png, statuses: [200, 404, 404] });
});

it('no cache gives them to another browser', async () => {
  const { avatar_url } = await root.Projects.show(projectId);
  const [own, other] = [await member.load(avatar_url!), await nobody.load(avatar_url!)];
  expect([own.headers.get('cache-control'), own.headers.get('vary')]).toEqual(['private, no-cache', 'Cookie']);
  expect([other.status, other.headers.get('cache-control')]).toEqual([404, 'no-store']);
});

it('the pictures of a project and of its group are shown', async () => {
  const { avatar_url } = await root.Projects.show(projectId);
  expect(await loadAsEach(avatar_url!)).toEqual({ own: png, statuses: [200, 404, 404] });
  const text = await (await member.load(`/${path}/tool`)).text();
  expect(text).toContain(`src="${new URL(avatar_url!).pathname}"`);
});

it('no session is taken by the interface for programs', async () => {
  const { status } = await member.load(`/api/v4/projects/${projectId}/avatar`);
  expect(status).toBe((await ask(`/api/v4/projects/${projectId}/avatar`)).status);
  expect(status).toBe(404);
});
