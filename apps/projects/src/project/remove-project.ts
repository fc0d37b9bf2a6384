import { projectDeleted } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { Routes } from '../namespace/routes';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';
import { ProjectTopics } from './project-topics';
import { StoredCounts } from './stored-counts';

/** Deletes projects; related records, here and in other services, are removed by the event. */
@Injectable()
export class RemoveProject {
  constructor(
    private readonly projects: Projects,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly counts: StoredCounts,
    private readonly topics: ProjectTopics,
  ) {}

  async one(project: ProjectDocument, actorId?: number): Promise<void> {
    const { forkedFromId, ownerId } = project;
    const event = newEvent(projectDeleted, {
      project_id: project._id,
      full_path: project.fullPath,
      storage: project.storage,
      name: project.name,
      visibility: project.visibility,
      namespace_id: project.namespaceId,
      group_ids: project.groupIds,
      ...(ownerId !== undefined && { owner_id: ownerId }),
      ...(actorId !== undefined && { actor_id: actorId }),
    });
    const remove = () =>
      this.topics.whileChanging(project.topics, () => this.outbox.remove(this.projects.model, project._id, event));
    if (forkedFromId === undefined) await remove();
    else await this.counts.whileChanging(forkedFromId, 'forksCount', remove);
    await this.outbox.promptly(this.routes.release('project', project._id));
  }

  async removeAll(filter: QueryFilter<ProjectDocument>): Promise<void> {
    for await (const project of this.projects.model.find(filter).lean<ProjectDocument>().cursor()) {
      await this.one(project);
    }
  }
}
