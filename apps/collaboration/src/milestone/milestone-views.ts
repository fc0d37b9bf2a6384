import type { Milestone } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { ownerParts } from '../parent/owner';
import { PlaceDirectory } from '../parent/parent-directory';
import { Urls } from '../parent/urls';
import type { MilestoneDocument } from './milestone.schema';
import { viewMilestone } from './milestone.view';

/** Shows milestones of any owner, asking for their owners' paths together. */
@Injectable()
export class MilestoneViews {
  constructor(
    private readonly places: PlaceDirectory,
    private readonly urls: Urls,
  ) {}

  async view(milestones: MilestoneDocument[]): Promise<Milestone[]> {
    const owners = milestones.map(({ owner }) => ownerParts(owner));
    const idsOf = (kind: string) => owners.filter((owner) => owner.kind === kind).map(({ id }) => id);
    const [projects, groups] = await Promise.all([
      this.places.projects(idsOf('project')),
      this.places.groups(idsOf('group')),
    ]);
    const urlOf = ({ kind, id }: (typeof owners)[number]): string => {
      const place = kind === 'project' ? projects.get(id) : groups.get(id);
      if (!place) return this.urls.page('');
      return kind === 'project' ? this.urls.project(place) : this.urls.group(place);
    };
    return milestones.map((milestone, at) => viewMilestone(milestone, urlOf(owners[at]!)));
  }
}
