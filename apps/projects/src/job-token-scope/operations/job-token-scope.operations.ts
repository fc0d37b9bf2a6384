import {
  addJobTokenGroup,
  addJobTokenProject,
  type Caller,
  type ContextOf,
  getJobTokenScope,
  jobTokenScopeErrors,
  listJobTokenGroups,
  listJobTokenProjects,
  namedNotFound,
  type ParsedOf,
  type ProjectRef,
  pageOf,
  projectErrors,
  removeJobTokenGroup,
  removeJobTokenProject,
  updateJobTokenScope,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Grants, principalOf } from '../../access/grants';
import { groupsReadableBy } from '../../access/readable-groups';
import { GroupChoices } from '../../group/group-choices';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects, readableBy } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import { ProjectViews } from '../../project/project.view';
import { JobTokenScopes } from '../job-token-scopes';

type Target = ContextOf<typeof getJobTokenScope>;

/** Operations on the projects and groups whose job tokens a project accepts. See docs/api/pipelines.md#13. */
@Controller()
export class JobTokenScopeOperations {
  constructor(
    private readonly scopes: JobTokenScopes,
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly views: ProjectViews,
    private readonly choices: GroupChoices,
  ) {}

  @Handles(getJobTokenScope)
  async get({ project }: Target) {
    const { isLimited } = await this.scopes.get(project.id);
    return { inbound_enabled: isLimited, outbound_enabled: false };
  }

  @Handles(updateJobTokenScope)
  async update({ project }: Target, { enabled }: ParsedOf<typeof updateJobTokenScope>): Promise<void> {
    requireActive(project);
    await this.scopes.limit(project.id, enabled);
  }

  @Handles(listJobTokenProjects)
  async listProjects({ project, caller }: Target, input: ParsedOf<typeof listJobTokenProjects>) {
    const { projectIds } = await this.scopes.get(project.id);
    const readable = await this.readableProjects(projectIds, caller);
    const own = await this.projects.get(project.id);
    const shown = [own, ...projectIds.flatMap((id) => readable.get(id) ?? [])];
    const { items, ...rest } = pageOf(shown, input);
    return { ...rest, items: await this.views.simple(items) };
  }

  @Handles(addJobTokenProject)
  async addProject({ project, caller }: Target, { target_project_id: id }: ParsedOf<typeof addJobTokenProject>) {
    requireActive(project);
    if (id === project.id) throw jobTokenScopeErrors.same();
    if (!(await this.readableProjects([id], caller)).has(id)) throw namedNotFound('Target project');
    await this.scopes.add(project.id, 'projectIds', id);
    return { source_project_id: project.id, target_project_id: id };
  }

  @Handles(removeJobTokenProject)
  async removeProject({ project }: Target, input: ParsedOf<typeof removeJobTokenProject>): Promise<void> {
    requireActive(project);
    await this.scopes.remove(project.id, 'projectIds', input.target_project_id);
  }

  @Handles(listJobTokenGroups)
  async listGroups({ project, caller }: Target, input: ParsedOf<typeof listJobTokenGroups>) {
    const { groupIds } = await this.scopes.get(project.id);
    return this.choices.list(() => ({ _id: { $in: groupIds } }), caller, input);
  }

  @Handles(addJobTokenGroup)
  async addGroup({ project, caller }: Target, { target_group_id: id }: ParsedOf<typeof addJobTokenGroup>) {
    requireActive(project);
    const readable = groupsReadableBy(await this.grants.findLevels(principalOf(caller)));
    const isGroup = { $and: [{ _id: id, kind: 'group' as const }, readable] };
    if (!(await this.namespaces.model.exists(isGroup))) throw namedNotFound('Target group');
    await this.scopes.add(project.id, 'groupIds', id);
    return { source_project_id: project.id, target_group_id: id };
  }

  @Handles(removeJobTokenGroup)
  async removeGroup({ project }: Target, input: ParsedOf<typeof removeJobTokenGroup>): Promise<void> {
    requireActive(project);
    await this.scopes.remove(project.id, 'groupIds', input.target_group_id);
  }

  private async readableProjects(ids: number[], caller: Caller): Promise<Map<number, ProjectDocument>> {
    const readable = readableBy(await this.grants.findLevels(principalOf(caller)));
    const found = await this.projects.model.find({ $and: [{ _id: { $in: ids } }, readable] }).lean<ProjectDocument[]>();
    return new Map(found.map((project) => [project._id, project]));
  }
}

function requireActive(project: ProjectRef): void {
  if (project.isArchived) throw projectErrors.archived();
}
