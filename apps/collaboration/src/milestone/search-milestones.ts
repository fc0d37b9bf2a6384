import {
  type Caller,
  type ContextOf,
  type ParsedOf,
  planning,
  searchGroupMilestones,
  searchMilestones,
  searchProjectMilestones,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { groupOwner, projectOwner } from '../parent/owner';
import { ReadableProjects } from '../parent/readable-projects';
import { Milestones } from './milestone.repository';
import type { MilestoneDocument } from './milestone.schema';
import { MilestoneViews } from './milestone-views';

type Owners = NonNullable<QueryFilter<MilestoneDocument>['owner']>;
type Input = Omit<ParsedOf<typeof searchProjectMilestones>, 'id'>;

/** Searches milestones of readable projects. See docs/api/search.md#6. */
@Controller()
export class SearchMilestones {
  constructor(
    private readonly milestones: Milestones,
    private readonly readable: ReadableProjects,
    private readonly views: MilestoneViews,
  ) {}

  @Handles(searchMilestones)
  async everywhere({ caller }: ContextOf<typeof searchMilestones>, input: ParsedOf<typeof searchMilestones>) {
    const { ids, hidden } = await this.scope(caller, input.include_archived);
    const ofProjects = /^project\//;
    return this.page(
      ids ? { $in: ids.map(projectOwner) } : { $regex: ofProjects, $nin: hidden.map(projectOwner) },
      input,
    );
  }

  @Handles(searchGroupMilestones)
  async inGroup(
    { group, caller }: ContextOf<typeof searchGroupMilestones>,
    input: ParsedOf<typeof searchGroupMilestones>,
  ) {
    const { ids = [] } = await this.scope(caller, input.include_archived, group.id);
    return this.page({ $in: [groupOwner(group.id), ...ids.map(projectOwner)] }, input);
  }

  @Handles(searchProjectMilestones)
  async inProject(
    { project }: ContextOf<typeof searchProjectMilestones>,
    input: ParsedOf<typeof searchProjectMilestones>,
  ) {
    return this.page(projectOwner(project.id), input);
  }

  private scope(caller: Caller | undefined, withArchived: boolean, groupId?: number) {
    return this.readable.findScope(caller, { feature: planning, groupId, withArchived });
  }

  private async page(owner: Owners, { search, page, per_page }: Input) {
    const found = await this.milestones.pageOf({ owner }, { state: 'all', search: search.trim(), page, per_page });
    return { ...found, items: await this.views.view(found.items) };
  }
}
