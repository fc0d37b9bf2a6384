import { ask, connection, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { Receiver } from './receiver';

/* Hooks of the instance, of projects and of groups, by @gitbeaker/rest and raw calls, delivered to a real receiver. */

const receiver = new Receiver();
const at = (path: string) => receiver.at(path);
const url = (path: string) => receiver.url(path);
const api = (path: string, method = 'GET', body?: object) =>
  ask(`/api/v4${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    token: connection.token,
  });

beforeAll(() => receiver.start());
afterAll(() => receiver.stop());

it('SystemHooks: a hook is created, tested, gets the event of a project, is listed and removed', async () => {
  const name = uniqueName('system');
  const hook = await root.SystemHooks.create(url(`/${name}`), { token: 'secret' });
  expect(hook).toMatchObject({ url: url(`/${name}`), repository_update_events: true, push_events: false });
  expect(await root.SystemHooks.test(hook.id)).toMatchObject({ event_name: 'project_create', path: 'ruby' });
  // Earlier events of other tests may still arrive.
  expect(at(`/${name}`).filter(({ body }) => body.path === 'ruby')).toMatchObject([
    {
      headers: { 'x-gitlab-event': 'System Hook', 'x-gitlab-token': 'secret' },
      body: { event_name: 'project_create' },
    },
  ]);
  const project = await root.Projects.create({ name });
  const delivered = await until('the new project', async () => at(`/${name}`).find(({ body }) => body.name === name));
  expect(delivered.body).toMatchObject({ event_name: 'project_create', project_id: project.id });
  expect((await root.SystemHooks.all()).map(({ id }) => id)).toContain(hook.id);
  await root.SystemHooks.remove(hook.id);
  expect((await root.SystemHooks.all()).map(({ id }) => id)).not.toContain(hook.id);
});

it('ProjectHooks: commits, issues and notes are delivered in order, and listed', async () => {
  const name = uniqueName('hooked');
  const project = await root.Projects.create({ name, initializeWithReadme: true });
  const hooks = root.ProjectHooks;
  const hook = await hooks.add(project.id, url(`/${name}`), { issuesEvents: true, pushEventsBranchFilter: 'main' });
  expect(await hooks.show(project.id, hook.id)).toMatchObject({ push_events: true, issues_events: true });
  await hooks.edit(project.id, hook.id, url(`/${name}`), { noteEvents: true });

  // The first commit of the project may be delivered, too.
  const delivered = () => at(`/${name}`).filter(({ body }) => body.before !== '0'.repeat(40));
  for (const branch of ['main', 'other', 'main']) {
    const start = branch === 'other' && { start_branch: 'main' };
    const change = { branch, ...start, content: `${Math.random()}`, commit_message: branch };
    const path = `/projects/${project.id}/repository/files/${uniqueName('file')}`;
    expect((await api(path, 'POST', change)).status).toBe(201);
  }
  await until('both pushes', () => delivered().length === 2);
  const issue = (await (await api(`/projects/${project.id}/issues`, 'POST', { title: 'Hooked' })).json()) as {
    iid: number;
  };
  await api(`/projects/${project.id}/issues/${issue.iid}/notes`, 'POST', { body: 'A word' });
  await until('four events', async () => delivered().length >= 4 || undefined);
  expect(delivered().map(({ body, headers }) => [headers['x-gitlab-event'], body.object_kind])).toEqual([
    ['Push Hook', 'push'],
    ['Push Hook', 'push'],
    ['Issue Hook', 'issue'],
    ['Note Hook', 'note'],
  ]);
  expect(delivered()[0]!.body).toMatchObject({
    ref: 'refs/heads/main',
    project: { path_with_namespace: project.path_with_namespace },
    commits: [{ message: 'main' }],
    total_commits_count: 1,
  });
  expect(delivered()[2]!.body).toMatchObject({
    object_attributes: { title: 'Hooked', action: 'open', iid: issue.iid },
  });

  const path = `/projects/${project.id}/hooks/${hook.id}`;
  const events = await until('what was answered', async () => {
    const listed = (await (await api(`${path}/events?status=successful`)).json()) as { id: number; trigger: string }[];
    return listed[0]?.trigger === 'note_hooks' ? listed : undefined;
  });
  expect(events[0]).toMatchObject({ trigger: 'note_hooks', response_status: '200', response_body: 'thanks' });
  const resent = await api(`${path}/events/${events[0]!.id}/resend`, 'POST');
  expect([resent.status, await resent.json()]).toEqual([201, { response_status: 200 }]);
  const tested = await api(`${path}/test/tag_push_events`, 'POST');
  expect([tested.status, await tested.json()]).toEqual([201, { message: '201 Created' }]);
  expect(at(`/${name}`).at(-1)!.headers['x-gitlab-event']).toBe('Tag Push Hook');
  await hooks.remove(project.id, hook.id);
  expect(await hooks.all(project.id)).toEqual([]);
});

it('GroupHooks: get events of the projects below', async () => {
  const name = uniqueName('hooked');
  const group = await root.Groups.create(name, name);
  const hook = await root.GroupHooks.add(group.id, url(`/${name}`), { issuesEvents: true });
  const project = await root.Projects.create({ name, namespaceId: group.id });
  await api(`/projects/${project.id}/issues`, 'POST', { title: 'Below' });
  const delivered = await until('the issue', async () => at(`/${name}`)[0]);
  expect(delivered.body).toMatchObject({ object_kind: 'issue', project: { id: project.id } });
  expect(await root.GroupHooks.show(group.id, hook.id)).toMatchObject({ group_id: group.id, issues_events: true });
  await root.GroupHooks.remove(group.id, hook.id);
});

it('hooks of projects do not reach this machine unless that is allowed', async () => {
  const project = await root.Projects.create({ name: uniqueName('closed') });
  for (const address of ['http://127.0.0.2:1/', 'http://[::1]/', 'http://169.254.169.254/', 'ftp://a.example/']) {
    const answer = await api(`/projects/${project.id}/hooks`, 'POST', { url: address });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { message: { url: [expect.stringMatching(/^is blocked: /)] } },
    ]);
  }
});
