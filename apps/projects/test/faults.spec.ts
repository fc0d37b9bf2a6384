import {
  createGroup,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  type OutputOf,
  projectChanged,
  projectDeleted,
  starProject,
  transferProject,
  updateProject,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { startProjects, uniqueName } from './projects-under-test';

meetFaults();

const projects = shareBetweenTests(() => startProjects());

// What the database, NATS or Redis failed at was told as done, or was half there.
it('projects are there once when that was said, and not when it was not', async () => {
  const ann = await projects.user();
  const { client } = projects;
  const made = await throughFaults(client, createProject, () =>
    projects.ask(ann, createProject, { name: uniqueName('tool'), visibility: 'public' }),
  );
  const listed = async () => {
    const { items } = await projects.ask(ann, listProjects, { owned: true, per_page: 100 });
    return items.map(({ id }) => id).sort((a, b) => a - b);
  };
  const ids = (all: { id: number }[]) => all.map(({ id }) => id).sort((a, b) => a - b);
  expect(await listed()).toEqual(ids(made));
  const told = (id: number) => projects.events(projectChanged).some(({ data }) => data.project_id === id);
  await eventually(() => made.every(({ id }) => told(id)), 'the events');

  const [first, ...others] = made as [OutputOf<typeof createProject>, ...typeof made];
  const id = String(first.id);
  const stars = await throughFaults(client, starProject, async () =>
    projects.ask(await projects.user(), starProject, { id }),
  );
  const counted = async () => (await projects.ask(ann, getProject, { id })).star_count;
  await eventually(async () => (await counted()) === stars.length, 'the count of stars');

  const paths = await throughFaults(client, updateProject, () =>
    projects.ask(ann, updateProject, { id, path: uniqueName('moved') }),
  );
  const groups = await throughFaults(client, createGroup, () =>
    projects.ask(ann, createGroup, { name: 'Group', path: uniqueName('group'), visibility: 'public' }),
  );
  await throughFaults(client, transferProject, async (turn) => {
    const group =
      groups[turn] ??
      (await projects.ask(ann, createGroup, { name: 'G', path: uniqueName('group'), visibility: 'public' }));
    await projects.ask(ann, transferProject, { id, namespace: group.id });
    const place = `${group.full_path}/${paths.at(-1)!.path}`;
    expect(await projects.ask(ann, getProject, { id: place })).toMatchObject({ id: first.id });
  });

  const gone = await throughFaults(client, deleteProject, async () => {
    const victim = others.pop() ?? (await projects.ask(ann, createProject, { name: uniqueName('tool') }));
    await projects.ask(ann, deleteProject, { id: String(victim.id) });
    return victim.id;
  });
  await eventually(async () => (await listed()).every((one) => !gone.includes(one)), 'the end of projects');
  const ended = (one: number) => projects.events(projectDeleted).some(({ data }) => data.project_id === one);
  await eventually(() => gone.every(ended), 'the events');
}, 180_000);
