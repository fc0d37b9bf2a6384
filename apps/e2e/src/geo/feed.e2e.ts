import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

interface Answer {
  events: { id: number; kind: string; project_id: number | null }[];
  projects: { id: number; path_with_namespace: string; visibility: string }[];
  cursor_last_event_id: number;
  next_id_after: number | null;
}

const read = async (path: string): Promise<Answer> =>
  (await ask(`/api/v4${path}`, { token: connection.token })).json() as Promise<Answer>;

it('lists new projects, pushes, wikis and deletions for replication', async () => {
  const { cursor_last_event_id: start } = await read('/geo/events');
  const { id } = await root.Projects.create({ name: uniqueName('copied'), visibility: 'public' });
  await root.RepositoryFiles.create(id, 'README.md', 'main', 'Hello', 'First');
  await root.ProjectWikis.create(id, 'It swings.', 'Cranes');
  const heard: string[] = [];
  let cursor = start;
  const hears = (kind: string) =>
    until(kind, async () => {
      const answer = await read(`/geo/events?cursor=${cursor}`);
      expect(answer.events.map((event) => event.id)).toEqual(answer.events.map((_, index) => cursor + index + 1));
      cursor = answer.cursor_last_event_id;
      heard.push(...answer.events.filter((event) => event.project_id === id).map((event) => event.kind));
      return heard.includes(kind) || undefined;
    });
  await hears('project_created');
  await hears('repository_updated');
  await hears('wiki_updated');
  const { projects } = await read(`/geo/projects?id_after=${id - 1}&limit=1`);
  expect(projects).toEqual([expect.objectContaining({ id, visibility: 'public' })]);
  await root.Projects.remove(id);
  await hears('project_deleted');
  expect((await ask('/api/v4/geo/events?cursor=999999999', { token: connection.token })).status).toBe(410);
});

it('refuses all other callers', async () => {
  const { token } = await newUser();
  for (const path of ['/geo/events', '/geo/projects']) {
    expect((await ask(`/api/v4${path}`, { token })).status).toBe(403);
    expect((await ask(`/api/v4${path}`, { token: '' })).status).toBe(401);
  }
});
