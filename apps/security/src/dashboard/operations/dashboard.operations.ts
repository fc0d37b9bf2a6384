import {
  addDashboardProject,
  type ContextOf,
  listDashboardProjects,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  removeDashboardProject,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ScannedProjects } from '../../project/scanned-projects';
import { Dashboards } from '../dashboard.repository';

@Controller()
export class DashboardOperations {
  constructor(
    private readonly dashboards: Dashboards,
    private readonly projects: ScannedProjects,
  ) {}

  @Handles(listDashboardProjects)
  async list({ caller }: ContextOf<typeof listDashboardProjects>, input: ParsedOf<typeof listDashboardProjects>) {
    const open = await this.projects.openAmong(await this.dashboards.projectIds(caller.id), caller);
    const { items, ...rest } = pageOf(open, input);
    return { ...rest, items: items.map(viewProject) };
  }

  @Handles(addDashboardProject)
  async add({ caller }: ContextOf<typeof addDashboardProject>, input: ParsedOf<typeof addDashboardProject>) {
    const project = await this.projects.open(input.project_id, caller, 'read_vulnerability');
    await this.dashboards.add(caller.id, project.id);
    return viewProject(project);
  }

  @Handles(removeDashboardProject)
  async remove({ caller }: ContextOf<typeof removeDashboardProject>, input: ParsedOf<typeof removeDashboardProject>) {
    await this.dashboards.remove(caller.id, input.project_id);
  }
}

const viewProject = (project: ProjectRef): OutputOf<typeof addDashboardProject> => ({
  id: project.id,
  name: project.name,
  name_with_namespace: project.nameWithNamespace,
  path: project.path,
  path_with_namespace: project.fullPath,
});
