import { type GeoProject, type ProjectRef, projectRefs, projectsWithWiki } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/** A secondary copies everything. */
export const everybody = { user_id: null, is_admin: true };
/** Number of projects in one call. */
const atOnce = 1000;

/** Projects in the form that secondaries need. */
@Injectable()
export class ShownProjects {
  constructor(private readonly client: OperationClient) {}

  /** By ascending id; deleted ones are left out. */
  async show(ids: number[]): Promise<GeoProject[]> {
    const shown: GeoProject[] = [];
    for (let from = 0; from < ids.length; from += atOnce)
      shown.push(...(await this.some(ids.slice(from, from + atOnce))));
    return shown.toSorted((a, b) => a.id - b.id);
  }

  private async some(ids: number[]): Promise<GeoProject[]> {
    const [projects, withWiki] = await Promise.all([
      this.client.call(projectRefs, { ids, ...everybody }),
      this.client.call(projectsWithWiki, { project_ids: ids }),
    ]);
    const known = new Set(withWiki);
    return projects.map((project) => viewProject(project, known.has(project.id)));
  }
}

const viewProject = (project: ProjectRef, has_wiki: boolean): GeoProject => ({
  id: project.id,
  name: project.name,
  path_with_namespace: project.fullPath,
  namespace_id: project.namespaceId,
  group_ids: project.groupIds,
  visibility: project.visibility,
  archived: project.isArchived,
  default_branch: project.defaultBranch,
  repository_storage: project.storage,
  repository_access_level: project.features.repository,
  wiki_access_level: project.features.wiki,
  has_wiki,
});
