import type { Board, GroupRef, ProjectRef } from '@moothall/contracts';
import { groupOwner, type OwnerKey, ownersForGroup, ownersForProject, projectOwner } from '../../parent/owner';
import type { Urls } from '../../parent/urls';

/** The project or group of boards. */
export interface BoardPlace {
  owner: OwnerKey;
  /** Owners whose labels and milestones the boards may use. */
  owners: OwnerKey[];
  project?: ProjectRef;
  group?: GroupRef;
}

export const placeOfProject = (project: ProjectRef): BoardPlace => ({
  owner: projectOwner(project.id),
  owners: ownersForProject(project),
  project,
});

export const placeOfGroup = (group: GroupRef): BoardPlace => ({
  owner: groupOwner(group.id),
  owners: ownersForGroup(group),
  group,
});

export const viewPlace = ({ project, group }: BoardPlace, urls: Urls): Pick<Board, 'project' | 'group'> => ({
  project: project
    ? {
        id: project.id,
        name: project.name,
        name_with_namespace: project.nameWithNamespace,
        path: project.path,
        path_with_namespace: project.fullPath,
        web_url: urls.project(project),
      }
    : null,
  group: group ? { id: group.id, name: group.name, web_url: urls.group(group) } : null,
});
