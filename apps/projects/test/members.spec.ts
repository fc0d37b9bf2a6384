import {
  addProjectMember,
  approveProjectAccessRequest,
  createProject,
  denyProjectAccessRequest,
  getProjectMember,
  removeProjectMember,
  requestProjectAccess,
  updateProjectMember,
} from '@moothall/contracts';
import { type ProjectsUnderTest, refusal, startProjects } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

// A personal project is its owner's, whatever its list of members says.
describe('the owner of a personal project', () => {
  it('is neither lowered nor removed by a maintainer, nor by anybody', async () => {
    const [ann, ben, root] = [
      await projects.user(),
      await projects.user(),
      await projects.user(undefined, { isAdmin: true }),
    ];
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const own = { id: String(number), user_id: ann.id };
    await projects.ask(ann, addProjectMember, { id: own.id, user_id: [ben.id], access_level: 40 });
    const before = await projects.ask(ann, getProjectMember, own);
    for (const caller of [ben, ann, root]) {
      const lower = projects.ask(caller, updateProjectMember, { ...own, access_level: 10 });
      expect((await refusal(lower)).code).toBe('common.forbidden');
      expect((await refusal(projects.ask(caller, removeProjectMember, own))).code).toBe('common.forbidden');
    }
    expect(await projects.ask(ann, getProjectMember, own)).toEqual(before);
    await projects.ask(ann, removeProjectMember, { id: own.id, user_id: ben.id });
  });
});

// Of an approval and a denial at the same moment one wins.
it('a request for access is either approved or denied', async () => {
  const ann = await projects.user();
  const { id: number } = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
  const id = String(number);
  for (let round = 0; round < 20; round++) {
    const ben = await projects.user();
    await projects.ask(ben, requestProjectAccess, { id });
    const on = { id, user_id: ben.id };
    const [approved, denied] = await Promise.all([
      refusal(projects.ask(ann, approveProjectAccessRequest, on)),
      refusal(projects.ask(ann, denyProjectAccessRequest, on)),
    ]);
    const member = await refusal(projects.ask(ann, getProjectMember, on));
    expect([approved.code, denied.code].filter((code) => code === 'none')).toHaveLength(1);
    expect(member.code === 'none').toBe(approved.code === 'none');
  }
});
