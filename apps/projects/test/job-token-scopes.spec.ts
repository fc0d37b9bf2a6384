import {
  Access,
  addJobTokenGroup,
  addJobTokenProject,
  type Caller,
  createGroup,
  createProject,
  deleteGroup,
  deleteProject,
  getJobTokenScope,
  jobTokenScopeErrors,
  listJobTokenGroups,
  listJobTokenProjects,
  opensForJob,
  projectErrors,
  removeJobTokenGroup,
  removeJobTokenProject,
  resolveProject,
  updateJobTokenScope,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { type ProjectsUnderTest, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const newProject = (ann: Caller, over: object = {}) =>
  projects.ask(ann, createProject, { path: uniqueName('tool'), ...over });
const newGroup = (ann: Caller, over: object = {}) =>
  projects.ask(ann, createGroup, { name: 'Group', path: uniqueName('group'), ...over });

async function scene() {
  const ann = await projects.user();
  const [group, target] = await Promise.all([newGroup(ann), newProject(ann)]);
  const below = await newGroup(ann, { parent_id: group.id });
  const job = await newProject(ann, { namespace_id: below.id });
  const id = String(target.id);
  const opens = async (over: object = {}) => {
    const asked = { project: id, user_id: ann.id, job_project_id: job.id, ...over };
    const answer = await projects.client.call(resolveProject, asked);
    return [opensForJob({ projectId: job.id }, answer), answer.project.accessLevel];
  };
  return { ann, group, target, job, id, opens };
}
const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);
const out = [false, Access.None];
const inside = [true, Access.Owner];

it('accesses its own project, and others if they allow it', async () => {
  const { ann, group, target, job, id, opens } = await scene();
  expect(await projects.ask(ann, getJobTokenScope, { id })).toEqual({ inbound_enabled: true, outbound_enabled: false });
  expect(await opens()).toEqual(out);
  expect((await opens({ project: String(job.id) }))[0]).toBe(true);
  await projects.ask(ann, addJobTokenProject, { id, target_project_id: job.id });
  expect(await opens()).toEqual(inside);
  expect(await opens({ job_project_id: 987_654 })).toEqual(out);
  expect(idsOf(await projects.ask(ann, listJobTokenProjects, { id }))).toEqual([target.id, job.id]);
  expect(await projects.ask(ann, listJobTokenProjects, { id, per_page: 1, page: 2 })).toMatchObject({
    ...{ items: [{ id: job.id }], total: 2 },
  });
  await projects.ask(ann, removeJobTokenProject, { id, target_project_id: job.id });
  expect(await opens()).toEqual(out);
  await projects.ask(ann, addJobTokenGroup, { id, target_group_id: group.id });
  expect(idsOf(await projects.ask(ann, listJobTokenGroups, { id }))).toEqual([group.id]);
  expect(await opens()).toEqual(inside);
  await projects.ask(ann, removeJobTokenGroup, { id, target_group_id: group.id });
  await projects.ask(ann, updateJobTokenScope, { id, enabled: false });
  expect(await opens()).toEqual(inside);
  await projects.ask(ann, updateJobTokenScope, { id, enabled: true });
  expect(await opens()).toEqual(out);
});

it('reads in other projects only public content', async () => {
  const { ann, opens } = await scene();
  const [open, internal] = [
    await newProject(ann, { visibility: 'public' }),
    await newProject(ann, { visibility: 'internal' }),
  ];
  expect(await opens({ project: String(open.id) })).toEqual([true, Access.None]);
  expect(await opens({ project: String(internal.id) })).toEqual(out);
});

it('refuses invalid projects, and those that the caller does not read', async () => {
  const { ann, group, job, id } = await scene();
  const hidden = await newProject(await projects.user());
  const hiddenGroup = await newGroup(await projects.user());
  await projects.ask(ann, addJobTokenProject, { id, target_project_id: job.id });
  await projects.ask(ann, addJobTokenGroup, { id, target_group_id: group.id });
  const add = (target_project_id: number) => projects.ask(ann, addJobTokenProject, { id, target_project_id });
  await expect(add(job.id)).rejects.toThrow(jobTokenScopeErrors.taken.code);
  await expect(add(Number(id))).rejects.toThrow(jobTokenScopeErrors.same.code);
  await expect(add(hidden.id)).rejects.toThrow('not_found');
  const addGroup = (target_group_id: number) => projects.ask(ann, addJobTokenGroup, { id, target_group_id });
  await expect(addGroup(group.id)).rejects.toThrow(jobTokenScopeErrors.taken.code);
  await expect(addGroup(hiddenGroup.id)).rejects.toThrow('not_found');
  await expect(projects.ask(ann, removeJobTokenProject, { id, target_project_id: hidden.id })).rejects.toThrow(
    'not_found',
  );
  await expect(projects.ask(ann, removeJobTokenGroup, { id, target_group_id: hiddenGroup.id })).rejects.toThrow(
    'not_found',
  );
  const archived = await newProject(ann);
  await projects.client
    .call(
      updateJobTokenScope,
      { id: 'x', enabled: false },
      { caller: ann, project: { ...(await refOf(archived.id)), isArchived: true } },
    )
    .then(
      () => expect('done').toBe('refused'),
      (error) => expect(error.code).toBe(projectErrors.archived.code),
    );
});

const refOf = async (id: number) =>
  (await projects.client.call(resolveProject, { project: String(id), user_id: null })).project;

it('is full at 200, also under concurrent requests, and stores all that were added', async () => {
  const { ann, id } = await scene();
  const added = await Promise.all(Array.from({ length: 5 }, () => newProject(ann)));
  await Promise.all(
    added.map(({ id: target_project_id }) => projects.ask(ann, addJobTokenProject, { id, target_project_id })),
  );
  const listed = idsOf(await projects.ask(ann, listJobTokenProjects, { id })).sort((a, b) => a - b);
  expect(listed).toEqual([Number(id), ...added.map((one) => one.id)].sort((a, b) => a - b));
});

it('omits deleted projects and groups', async () => {
  const { ann, job, id, opens } = await scene();
  const group = await newGroup(ann);
  await projects.ask(ann, addJobTokenGroup, { id, target_group_id: group.id });
  await projects.ask(ann, addJobTokenProject, { id, target_project_id: job.id });
  await projects.ask(ann, deleteGroup, { id: String(group.id) });
  await projects.ask(ann, deleteProject, { id: String(job.id) });
  expect(await opens()).toEqual(out);
  const left = () =>
    Promise.all([listJobTokenGroups, listJobTokenProjects].map((list) => projects.ask(ann, list, { id })));
  await eventually(async () => (await left()).flatMap(idsOf).length === 1, 'the end of both');
});
