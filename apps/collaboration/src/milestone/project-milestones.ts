import {
  type ContextOf,
  createProjectMilestone,
  deleteProjectMilestone,
  getProjectMilestone,
  listProjectMilestones,
  namedMilestones,
  type ParsedOf,
  updateProjectMilestone,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type OwnerKey, ownersForProject, projectOwner } from '../parent/owner';
import { requireWritable } from '../parent/require-writable';
import { Milestones } from './milestone.repository';
import type { MilestoneDocument } from './milestone.schema';
import { milestoneChangeOf, newMilestoneOf } from './milestone-input';
import { MilestoneReferences } from './milestone-references';
import { MilestoneViews } from './milestone-views';

@Controller()
export class ProjectMilestones {
  constructor(
    private readonly milestones: Milestones,
    private readonly references: MilestoneReferences,
    private readonly views: MilestoneViews,
  ) {}

  @Handles(listProjectMilestones)
  async list({ project }: ContextOf<typeof listProjectMilestones>, input: ParsedOf<typeof listProjectMilestones>) {
    const owners = input.include_parent_milestones ? ownersForProject(project) : [projectOwner(project.id)];
    const page = await this.milestones.page(owners, input);
    return { ...page, items: await this.views.view(page.items) };
  }

  @Handles(getProjectMilestone)
  async get({ project }: ContextOf<typeof getProjectMilestone>, input: ParsedOf<typeof getProjectMilestone>) {
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    return this.views.viewOfProject(milestone, project);
  }

  @Handles(createProjectMilestone)
  async create(
    { project, caller }: ContextOf<typeof createProjectMilestone>,
    input: ParsedOf<typeof createProjectMilestone>,
  ) {
    requireWritable(project);
    const milestone = { ...newMilestoneOf(input), owner: projectOwner(project.id) };
    return this.views.viewOfProject(
      await this.milestones.add(milestone, ownersForProject(project), caller.id),
      project,
    );
  }

  @Handles(updateProjectMilestone)
  async update(
    { project, caller }: ContextOf<typeof updateProjectMilestone>,
    input: ParsedOf<typeof updateProjectMilestone>,
  ) {
    requireWritable(project);
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    const owners = ownersForProject(project);
    return this.views.viewOfProject(
      await this.milestones.change(milestone, milestoneChangeOf(input), owners, caller.id),
      project,
    );
  }

  @Handles(deleteProjectMilestone)
  async remove({ project }: ContextOf<typeof deleteProjectMilestone>, input: ParsedOf<typeof deleteProjectMilestone>) {
    requireWritable(project);
    await this.references.remove(await this.milestones.get(projectOwner(project.id), input.milestone_id));
  }

  @Handles(namedMilestones)
  async named({ project }: ContextOf<typeof namedMilestones>, { titles, ids }: ParsedOf<typeof namedMilestones>) {
    const owners = ownersForProject(project);
    const found = await this.milestones.findNamed(owners, { titles, ids });
    const isMeant = ({ _id, title, owner }: MilestoneDocument) =>
      ids.includes(_id) || !found.some((other) => other.title === title && isNearer(owners, other.owner, owner));
    return this.views.view(found.filter(isMeant));
  }
}

const isNearer = (owners: OwnerKey[], one: OwnerKey, other: OwnerKey): boolean =>
  owners.indexOf(one) < owners.indexOf(other);
