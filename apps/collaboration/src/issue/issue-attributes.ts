import { type createIssue, type Given, invalidRecord, type ParsedOf, type ProjectRef } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EpicDocument } from '../epic/epic.schema';
import { Assignees } from '../issuable/assignees';
import type { IssuablePatch } from '../issuable/plan-change';
import { Labels } from '../label/label.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { ownersForProject } from '../parent/owner';

type Fields = Given<Omit<ParsedOf<typeof createIssue>, 'id' | 'iid' | 'created_at'>> & {
  add_labels?: string[] | undefined;
  remove_labels?: string[] | undefined;
};

/** Converts input of clients (labels, milestones, users, epics) to the stored form of an issue. */
@Injectable()
export class IssueAttributes {
  private readonly hasTiers: boolean;

  constructor(
    private readonly labels: Labels,
    private readonly assignees: Assignees,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.hasTiers = settings.EDITION === 'enterprise';
  }

  /** Fields that authors and reporters may set. */
  readOwn({ title, description, confidential }: Fields): IssuablePatch {
    return { title: title?.trim(), description, confidential };
  }

  /**
   * Fields that only reporters and above may set.
   * @throws common.invalid_record for milestones, epics and users that cannot be used here
   */
  async plan(project: ProjectRef, given: Fields): Promise<IssuablePatch> {
    const people = given.assignee_ids ?? (given.assignee_id == null ? undefined : [given.assignee_id]);
    const owners = ownersForProject(project);
    const nobody = given.assignee_ids === null || given.assignee_id === null;
    const [labelIds, addLabelIds, removed, assigneeIds, milestoneId, silent] = await Promise.all([
      given.labels === undefined ? undefined : this.labels.findOrMakeIds(given.labels ?? [], owners),
      given.add_labels && this.labels.findOrMakeIds(given.add_labels, owners),
      given.remove_labels && this.labels.findNamed(given.remove_labels, owners),
      people ? this.assignees.choose(project, people) : nobody ? [] : undefined,
      this.findMilestoneId(project, given.milestone_id),
      this.findEpic(project, given.epic_id),
    ]);
    return {
      labelIds,
      addLabelIds,
      removeLabelIds: removed?.map(({ _id }) => _id),
      assigneeIds,
      milestoneId,
      dueDate: given.due_date,
      discussionLocked: given.discussion_locked,
      ...(this.hasTiers && { weight: given.weight }),
      silent,
    };
  }

  private async findMilestoneId(
    project: ProjectRef,
    id: number | null | undefined,
  ): Promise<number | null | undefined> {
    if (!id) return id === undefined ? undefined : null;
    const isHere = await this.milestones.exists({ _id: id, owner: { $in: ownersForProject(project) } });
    if (!isHere) throw invalidRecord({ milestone_id: ['is invalid'] });
    return id;
  }

  private async findEpic(
    project: ProjectRef,
    id: number | null | undefined,
  ): Promise<Record<string, unknown> | undefined> {
    if (id === undefined || !this.hasTiers) return undefined;
    if (!id) return { epicId: null, epicPosition: null };
    const isHere = await this.epics.exists({ _id: id, groupId: { $in: project.groupIds } });
    if (!isHere) throw invalidRecord({ epic_id: ['is invalid'] });
    return { epicId: id, epicPosition: Date.now() };
  }
}
