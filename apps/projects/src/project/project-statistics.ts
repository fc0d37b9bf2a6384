import {
  Access,
  artifactSizes,
  type Caller,
  lfsObjectSizes,
  type Project,
  packageSizes,
  repositoryFacts,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { ProjectDocument } from './project.schema';
import { projectRefOf } from './project-ref';

interface Kept {
  artifactBytes: number;
  packageBytes: number;
  lfsBytes: number;
}

/** Adds statistics to views, for reporters. One call per project, so only on request. */
@Injectable()
export class ProjectStatisticsReader {
  constructor(private readonly client: OperationClient) {}

  async addTo(views: Project[], projects: ProjectDocument[], caller: Caller, requestId: string): Promise<Project[]> {
    const byId = new Map(projects.map((project) => [project._id, project]));
    const known = views.filter((view) => {
      const project = byId.get(view.id);
      return project && levelOf(view, project, caller) >= Access.Reporter;
    });
    const [artifacts, packages, lfsObjects] = await Promise.all([
      this.bytesBy(artifactSizes, known),
      this.bytesBy(packageSizes, known),
      this.bytesBy(lfsObjectSizes, known),
    ]);
    return Promise.all(
      views.map(async (view) => {
        const project = byId.get(view.id);
        if (!project || !known.includes(view)) return view;
        const kept = {
          artifactBytes: artifacts.get(view.id) ?? 0,
          packageBytes: packages.get(view.id) ?? 0,
          lfsBytes: lfsObjects.get(view.id) ?? 0,
        };
        return { ...view, statistics: await this.read(project, kept, requestId) };
      }),
    );
  }

  private async bytesBy(
    operation: typeof artifactSizes | typeof packageSizes | typeof lfsObjectSizes,
    views: Project[],
  ): Promise<Map<number, number>> {
    if (views.length === 0) return new Map();
    const sizes = await this.client.call(operation, { project_ids: views.map(({ id }) => id) });
    return new Map(sizes.map(({ project_id, size_bytes }) => [project_id, size_bytes]));
  }

  private async read(project: ProjectDocument, kept: Kept, requestId: string) {
    const { artifactBytes, packageBytes, lfsBytes } = kept;
    const context = { project: projectRefOf(project, Access.Owner), requestId };
    const facts = await this.client.call(repositoryFacts, { project_id: project._id }, context);
    const sizes = { repository_size: facts.repository_size, wiki_size: facts.wiki_size };
    return {
      commit_count: facts.commit_count,
      storage_size:
        facts.repository_size + facts.wiki_size + project.uploadBytes + artifactBytes + packageBytes + lfsBytes,
      ...sizes,
      uploads_size: project.uploadBytes,
      job_artifacts_size: artifactBytes,
      packages_size: packageBytes,
      lfs_objects_size: lfsBytes,
    };
  }
}

function levelOf({ permissions }: Project, project: ProjectDocument, caller: Caller): number {
  if (caller.isAdmin || project.ownerId === caller.id) return Access.Owner;
  return Math.max(permissions?.project_access?.access_level ?? 0, permissions?.group_access?.access_level ?? 0);
}
