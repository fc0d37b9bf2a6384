import { newUser, root, uniqueName } from '../server/connection';

type User = Awaited<ReturnType<typeof newUser>>;

/** A group with a project that has a branch to merge, and a member. */
export interface World {
  member: User;
  groupId: number;
  projectId: number;
  /** Path of the project in the API. */
  project: string;
  group: string;
}

export async function newWorld(): Promise<World> {
  const member = await newUser('member');
  const groupName = uniqueName('group');
  const { id: groupId } = await root.Groups.create(groupName, groupName, { visibility: 'public' });
  const { id: projectId } = await root.Projects.create({
    name: uniqueName('project'),
    namespaceId: groupId,
    visibility: 'public',
    initializeWithReadme: true,
  });
  await root.ProjectMembers.add(projectId, 40, { userId: member.id });
  return { member, groupId, projectId, project: `/projects/${projectId}`, group: `/groups/${groupId}` };
}
