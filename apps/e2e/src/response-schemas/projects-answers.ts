import { newUser, root, uniqueName } from '../server/connection';
import type { Answers } from './answers';

/** Projects, members, their hooks, and other answers of the projects service. */
export async function askProjects(answers: Answers): Promise<void> {
  const [owner, wanting, approved] = await Promise.all([newUser('owner'), newUser('wanting'), newUser('approved')]);
  const name = uniqueName('place');
  const { id: groupId } = await root.Groups.create(name, name, { visibility: 'public' });
  const { id: projectId } = await root.Projects.create({ name, namespaceId: groupId, visibility: 'public' });
  // The project first: a member of the group is already a member of the project.
  for (const place of [`/projects/${projectId}`, `/groups/${groupId}`]) {
    await answers.post('members.json#/items', `${place}/members`, { user_id: owner.id, access_level: 40 });
    const expiring = { access_level: 40, expires_at: '2099-01-01' };
    await answers.put('members.json#/items', `${place}/members/${owner.id}`, expiring);
    for (const list of ['members', 'members/all']) await answers.take('members.json', `${place}/${list}`);
    await answers.take('members.json#/items', `${place}/members/${owner.id}`);
    await answers.ask(`${place}/access_requests`, { method: 'POST', token: wanting.token });
    await answers.ask(`${place}/access_requests`, { method: 'POST', token: approved.token });
    await answers.put('members.json#/items', `${place}/access_requests/${approved.id}/approve`, { access_level: 20 });
  }
  await askProjectViews(answers, projectId, groupId);
  await answers.takeEach('user/basic.json', `/projects/${projectId}/users`);
}

async function askProjectViews(answers: Answers, projectId: number, groupId: number): Promise<void> {
  const filled = { name: uniqueName('filled'), initialize_with_readme: true, visibility: 'public' };
  const project = await answers.post('project.json', '/projects', filled);
  await answers.post('project.json', `/projects/${project.id}/star`, {});
  for (const id of [projectId, project.id]) await answers.take('project.json', `/projects/${id}`);
  await answers.take('projects.json', '/projects?simple=true');
  await answers.take('projects.json', '/projects');
  await answers.take('projects.json', `/groups/${groupId}/projects`);
}
