import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGroup, createProject, listGroups, listProjects, projectChanged } from '@moothall/contracts';
import { eventually, listAll, startTwoReplicas, type TwoReplicas, writeUnderLoad } from '@moothall/testing';
import { foldersIn, type Surroundings, surround } from './projects-under-test';

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-replicas-'));
let two: TwoReplicas;
let world: Surroundings;
beforeAll(async () => {
  two = await startTwoReplicas(path.resolve(__dirname, '..'), foldersIn(folder), (bed) => {
    world = surround(bed, folder);
  });
}, 120_000);
afterAll(async () => {
  await two?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('projects and groups exist once if one of two replicas is killed under load', async () => {
  const owner = await world.user();
  const write = async (number: number) => {
    const name = `n${number}`;
    if (number % 3 === 0) await world.ask(owner, createGroup, { name, path: name });
    else await world.ask(owner, createProject, { name });
    return name;
  };
  const { acknowledged, unknown } = await writeUnderLoad({ write, interrupt: () => two.replicas[0].kill(), each: 25 });

  const projects = await listAll((page) => world.ask(owner, listProjects, { owned: true, ...page }));
  const groups = await listAll((page) => world.ask(owner, listGroups, { owned: true, ...page }));
  const stored = [...projects, ...groups].map(({ path }) => path);
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect(stored.length).toBeLessThanOrEqual(acknowledged.length + unknown.length);
  // The other process publishes events that the killed one had not.
  const areAllPublished = () => {
    const created = two.events(projectChanged).filter(({ data }) => data.change === 'created');
    return projects.every(({ id }) => created.some(({ data }) => data.project_id === id));
  };
  await eventually(areAllPublished, 'the events of all projects', 30_000);
}, 120_000);
