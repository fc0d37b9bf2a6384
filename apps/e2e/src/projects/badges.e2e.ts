import { newUser, root, uniqueName } from '../server/connection';
import { statusOf } from './status-of';

/* Badges, by @gitbeaker/rest's ProjectBadges and GroupBadges. */

const link = 'https://example.com/%{project_path}/%{default_branch}';
const image = 'https://example.com/%{project_id}.svg?sha=%{commit_sha}';

let groupId: number;
let group: string;
let projectId: number;
let guest: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  group = uniqueName('badges');
  guest = await newUser('guest');
  groupId = (await root.Groups.create(group, group)).id;
  const project = await root.Projects.create({
    name: 'badged',
    path: 'badged',
    namespaceId: groupId,
    initializeWithReadme: true,
  });
  projectId = project.id;
  await root.ProjectMembers.add(projectId, 10, { userId: guest.id });
});

const tip = async (): Promise<string> => String((await root.Branches.show(projectId, 'main')).commit.id);

describe('of a project', () => {
  it('are created, read with resolved placeholders, found by name, changed and deleted', async () => {
    const { ProjectBadges } = root;
    const made = await ProjectBadges.add(projectId, link, image, { name: 'Build' });
    expect(made).toMatchObject({ name: 'Build', link_url: link, image_url: image, kind: 'project' });
    const rendered = {
      rendered_link_url: `https://example.com/${group}/badged/main`,
      rendered_image_url: `https://example.com/${projectId}.svg?sha=${await tip()}`,
    };
    expect(made).toMatchObject(rendered);
    expect(await ProjectBadges.show(projectId, made.id)).toEqual(made);
    expect(await ProjectBadges.all(projectId, { name: 'Build' })).toEqual([made]);
    expect(await ProjectBadges.all(projectId, { name: 'build' })).toEqual([]);
    const edited = await ProjectBadges.edit(projectId, made.id, { linkUrl: 'https://example.com/other' });
    expect(edited).toMatchObject({ link_url: 'https://example.com/other', image_url: image });
    expect(await ProjectBadges.preview(projectId, link, image)).toEqual({
      link_url: link,
      image_url: image,
      ...rendered,
    });
    expect(await ProjectBadges.all(projectId)).toHaveLength(1);
    await ProjectBadges.remove(projectId, made.id);
    expect(await statusOf(ProjectBadges.show(projectId, made.id))).toBe(404);
  });

  it('are read by guests, and changed by maintainers only', async () => {
    const made = await root.ProjectBadges.add(projectId, link, image);
    expect(await guest.client.ProjectBadges.all(projectId)).toEqual([made]);
    expect(await statusOf(guest.client.ProjectBadges.add(projectId, link, image))).toBe(403);
    expect(await statusOf(guest.client.ProjectBadges.edit(projectId, made.id, { imageUrl: image }))).toBe(403);
    expect(await statusOf(guest.client.ProjectBadges.remove(projectId, made.id))).toBe(403);
    expect(await statusOf(guest.client.ProjectBadges.preview(projectId, link, image))).toBe(403);
    expect(await statusOf(root.ProjectBadges.add(projectId, 'no address', image))).toBe(400);
    await root.ProjectBadges.remove(projectId, made.id);
  });
});

describe('of a group', () => {
  it('are created, shown by its projects, and deleted through the group only', async () => {
    const { GroupBadges, ProjectBadges } = root;
    const made = await GroupBadges.add(groupId, link, image, { name: 'Group' });
    expect(made).toMatchObject({ name: 'Group', kind: 'group' });
    expect(await GroupBadges.all(groupId)).toMatchObject([{ id: made.id }]);
    expect(await GroupBadges.show(groupId, made.id)).toMatchObject({ link_url: link });
    expect(await GroupBadges.preview(groupId, link, image)).toMatchObject({
      rendered_link_url: `https://example.com/${group}/badged/main`,
    });
    const [shown] = await ProjectBadges.all(projectId);
    expect(shown).toMatchObject({ id: made.id, kind: 'group', rendered_link_url: expect.stringContaining('badged') });
    expect(await statusOf(ProjectBadges.remove(projectId, made.id))).toBe(403);
    expect(await GroupBadges.edit(groupId, made.id, { name: 'Other' })).toMatchObject({ name: 'Other' });
    await GroupBadges.remove(groupId, made.id);
    expect(await ProjectBadges.all(projectId)).toEqual([]);
    expect(await statusOf(GroupBadges.show(groupId, made.id))).toBe(404);
  });
});
