import type { GroupRef, Milestone, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { ownerParts } from '../parent/owner';
import { ParentDirectory } from '../parent/parent-directory';
import { Urls } from '../parent/urls';
import { Milestones } from './milestone.repository';
import type { MilestoneDocument } from './milestone.schema';
import { viewMilestone } from './milestone.view';

/** Shows milestones. */
@Injectable()
export class MilestoneViews {
  constructor(
    private readonly milestones: Milestones,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
  ) {}

  /** Calls no other service: a stored change is answered even while other services are down. */
  viewOfProject(milestone: MilestoneDocument, project: Pick<ProjectRef, 'fullPath'>): Milestone {
    return viewMilestone(milestone, this.urls.project(project));
  }

  viewOfGroup(milestone: MilestoneDocument, group: Pick<GroupRef, 'fullPath'>): Milestone {
    return viewMilestone(milestone, this.urls.group(group));
  }

  /** By id; missing ones are omitted. */
  async byId(ids: Iterable<number>): Promise<Map<number, Milestone>> {
    const views = await this.view(await this.milestones.findByIds(ids));
    return new Map(views.map((view) => [view.id, view]));
  }

  /** Of any owners; it reads their paths in one batch. */
  async view(milestones: MilestoneDocument[]): Promise<Milestone[]> {
    const owners = milestones.map(({ owner }) => ownerParts(owner));
    const idsOf = (kind: string) => owners.filter((owner) => owner.kind === kind).map(({ id }) => id);
    const [projects, groups] = await Promise.all([
      this.parents.findProjects(idsOf('project')),
      this.parents.findGroups(idsOf('group')),
    ]);
    const urlOf = ({ kind, id }: (typeof owners)[number]): string => {
      const parent = kind === 'project' ? projects.get(id) : groups.get(id);
      if (!parent) return this.urls.page('');
      return kind === 'project' ? this.urls.project(parent) : this.urls.group(parent);
    };
    return milestones.map((milestone) => viewMilestone(milestone, urlOf(ownerParts(milestone.owner))));
  }
}
