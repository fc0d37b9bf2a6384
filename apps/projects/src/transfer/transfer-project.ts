import {
  Access,
  type Caller,
  type ContextOf,
  namedNotFound,
  type ParsedOf,
  type Project,
  transferErrors,
  transferProject,
  transferProjectToGroup,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Grants, principalOf } from '../access/grants';
import { GroupViews } from '../group/group.view';
import { groupKey, projectKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import { Routes } from '../namespace/routes';
import { isWider } from '../namespace/visibility-rules';
import { deriveProject } from '../project/derive-project';
import { PlaceProject } from '../project/place-project';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { ProjectViews } from '../project/project.view';
import { ProjectNamespaces } from '../project/project-namespaces';

/** Moves projects between namespaces; former paths redirect. */
@Controller()
export class TransferProject {
  constructor(
    private readonly projects: Projects,
    private readonly projectNamespaces: ProjectNamespaces,
    private readonly namespaces: Namespaces,
    private readonly places: PlaceProject,
    private readonly routes: Routes,
    private readonly grants: Grants,
    private readonly users: UserDirectory,
    private readonly views: ProjectViews,
    private readonly groupViews: GroupViews,
  ) {}

  @Handles(transferProject)
  async handle(
    { project, caller }: ContextOf<typeof transferProject>,
    input: ParsedOf<typeof transferProject>,
  ): Promise<Project> {
    const namespaceId = await this.projectNamespaces.findId(input.namespace);
    if (namespaceId === null) throw namedNotFound('Namespace');
    await this.transfer(await this.projects.get(project.id), caller, namespaceId);
    return this.views.one(await this.projects.get(project.id), caller);
  }

  @Handles(transferProjectToGroup)
  async toGroup(
    { group, caller }: ContextOf<typeof transferProjectToGroup>,
    input: ParsedOf<typeof transferProjectToGroup>,
  ) {
    const { project } = await this.projects.resolve(input.project_id);
    const chain = [projectKey(project._id), ...project.groupIds.map(groupKey)];
    const level = (await this.grants.findLevelsWithin(principalOf(caller), chain)).levelInProject(project);
    if (level < Access.Owner) throw namedNotFound('Project');
    await this.transfer(project, caller, group.id);
    return this.groupViews.detail(await this.namespaces.getGroup(group.id), caller, true);
  }

  private async transfer(project: ProjectDocument, caller: Caller, namespaceId: number): Promise<void> {
    const namespace = await this.projectNamespaces.find(await this.users.get(caller.id), caller, namespaceId);
    if (namespace._id === project.namespaceId) {
      throw transferErrors.refused('Project is already in this namespace.');
    }
    if (namespace.kind === 'group' && isWider(project.visibility, namespace.visibility)) {
      throw transferErrors.refused('The project is more visible than the namespace it would go to.');
    }
    const { fullPath } = deriveProject(project, namespace);
    const target = { kind: 'project', targetId: project._id, storage: project.storage } as const;
    if (!(await this.routes.claim(fullPath, target))) {
      throw transferErrors.refused('Project with same name or path in target namespace already exists');
    }
    if (await this.places.transfer(project, namespace, caller.id)) return;
    // It must not be removed with a namespace that was deleted meanwhile.
    const former = await this.namespaces.find(project.namespaceId);
    if (former) await this.places.transfer(project, former, caller.id);
    throw namedNotFound('Namespace');
  }
}
