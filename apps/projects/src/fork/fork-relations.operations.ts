import {
  type ContextOf,
  commonErrors,
  createForkRelation,
  deleteForkRelation,
  listForks,
  type ParsedOf,
  projectChanged,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { ProjectViews } from '../project/project.view';
import { ProjectLists } from '../project/project-lists';
import { StoredCounts } from '../project/stored-counts';

/** Fork relations between projects. */
@Controller()
export class ForkRelations {
  constructor(
    private readonly projects: Projects,
    private readonly counts: StoredCounts,
    private readonly lists: ProjectLists,
    private readonly outbox: Outbox,
    private readonly views: ProjectViews,
  ) {}

  @Handles(listForks)
  async listOfProject(context: ContextOf<typeof listForks>, input: ParsedOf<typeof listForks>) {
    return this.lists.list({ forkedFromId: context.project.id }, context, input);
  }

  @Handles(createForkRelation)
  async create({ caller }: ContextOf<typeof createForkRelation>, input: ParsedOf<typeof createForkRelation>) {
    const { project } = await this.projects.resolve(input.id);
    const source = await this.projects.get(input.forked_from_id);
    if (project.forkedFromId !== undefined) throw commonErrors.conflict('Project already forked');
    if (project._id === source._id || source.forkedFromId === project._id) throw commonErrors.badRequest();
    const relate = () => this.write(project, { $set: { forkedFromId: source._id } });
    const related = await this.counts.whileChanging(source._id, 'forksCount', relate);
    if (!related) throw commonErrors.conflict('Project already forked');
    return this.views.one(related, caller);
  }

  @Handles(deleteForkRelation)
  async delete({ project: { id } }: ContextOf<typeof deleteForkRelation>, _: ParsedOf<typeof deleteForkRelation>) {
    const project = await this.projects.get(id);
    if (project.forkedFromId === undefined) throw commonErrors.notFound();
    const part = () => this.write(project, { $unset: { forkedFromId: 1 } });
    const parted = await this.counts.whileChanging(project.forkedFromId, 'forksCount', part);
    if (!parted) throw commonErrors.notFound();
  }

  /** The write fails after a concurrent change of the relation: the count would be that of another project. */
  private async write(project: ProjectDocument, change: object): Promise<ProjectDocument | null> {
    const event = newEvent(projectChanged, {
      project_id: project._id,
      full_path: project.fullPath,
      change: 'updated',
    });
    const { _id, forkedFromId } = project;
    const unchanged = { _id, forkedFromId: forkedFromId ?? { $exists: false } };
    return this.outbox.update(this.projects.model, unchanged, change, event);
  }
}
