import {
  Access,
  addDashboardProject,
  commonErrors,
  listDashboardProjects,
  listDashboardVulnerabilities,
  projectDeleted,
  projectErrors,
  removeDashboardProject,
  userDeleted,
  vulnerabilityErrors,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { Dashboards } from '../src/dashboard/dashboard.repository';
import { sastReport } from './reports';
import { startSecurityService } from './security-under-test';

describe('a security dashboard', () => {
  const security = shareBetweenTests(startSecurityService);

  function dashboard() {
    const { bed } = security;
    const caller = callerNamed('ada');
    const as = contextOf({ caller });
    return {
      bed,
      caller,
      add: (project_id: number) => bed.call(addDashboardProject, { project_id }, as),
      remove: (project_id: number) => bed.call(removeDashboardProject, { project_id }, as),
      ids: async () => (await bed.call(listDashboardProjects, {}, as)).items.map(({ id }) => id),
      vulnerabilities: async () => (await bed.call(listDashboardVulnerabilities, {}, as)).items,
    };
  }

  it('has the projects that its user has put there', async () => {
    const { bed, add, remove, ids, vulnerabilities } = dashboard();
    const [one, other] = [bed.project(), bed.project()];
    await bed.ingest(one, sastReport([{ file: 'a.js', line: 1 }]));
    expect(await add(other.id)).toMatchObject({ id: other.id, path_with_namespace: other.fullPath });
    await add(one.id);
    await add(one.id);
    expect(await ids()).toEqual([one.id, other.id]);
    expect(await vulnerabilities()).toMatchObject([{ project: { id: one.id } }]);
    expect(await dashboard().ids()).toEqual([]);
    await remove(one.id);
    expect(await ids()).toEqual([other.id]);
    expect(await vulnerabilities()).toEqual([]);
  });

  // If the first attempt may have removed it, a second one that finds nothing is fine.
  itWithoutFaults('refuses to remove a missing project', async () => {
    const { bed, remove } = dashboard();
    await expect(remove(bed.project().id)).rejects.toMatchObject({ code: projectErrors.notFound.code });
  });

  it('shows the projects that its user may still see', async () => {
    const { bed, add, ids, vulnerabilities } = dashboard();
    const project = bed.project();
    await bed.ingest(project, sastReport([{ file: 'a.js', line: 1 }]));
    await add(project.id);
    bed.setProject(project, { accessLevel: Access.Reporter });
    expect(await ids()).toEqual([]);
    expect(await vulnerabilities()).toEqual([]);
  });

  it.each([
    ['private', Access.None, projectErrors.notFound.code],
    ['public', Access.None, commonErrors.forbidden.code],
    ['private', Access.Reporter, commonErrors.forbidden.code],
  ] as const)('refuses a %s project at level %i', async (visibility, accessLevel, code) => {
    const { bed, add } = dashboard();
    const project = bed.project({ visibility, accessLevel });
    await expect(add(project.id)).rejects.toMatchObject({ code });
  });

  it('accepts projects by concurrent requests, up to its limit', async () => {
    const { bed, caller, add, ids } = dashboard();
    const projects = Array.from({ length: 12 }, () => bed.project());
    await Promise.all(projects.map(({ id }) => add(id)));
    expect(await ids()).toEqual(projects.map(({ id }) => id));
    const dashboards = security.under.running.app.get(Dashboards, { strict: false });
    for (let at = 0; at < 988; at++) await dashboards.add(caller.id, 1_000_000 + at);
    await expect(add(bed.project().id)).rejects.toMatchObject({ code: vulnerabilityErrors.tooManyOnDashboard.code });
    // An existing project may be added again.
    await add(projects[0]!.id);
  });

  it('omits deleted projects and users', async () => {
    const { bed, caller, add } = dashboard();
    const [one, other] = [bed.project(), bed.project()];
    for (const { id } of [one, other]) await add(id);
    const dashboards = security.under.running.app.get(Dashboards, { strict: false });
    const gone = { project_id: one.id, full_path: one.fullPath, storage: 'default' };
    await security.under.emit(projectDeleted, gone);
    await eventually(async () => String(await dashboards.projectIds(caller.id)) === String(other.id), 'the end of one');
    await security.under.emit(userDeleted, {
      user_id: caller.id,
      username: caller.username,
      hard_delete: false,
      ghost_user_id: 1,
    });
    await eventually(async () => (await dashboards.projectIds(caller.id)).length === 0, 'the end of all');
  });
});
