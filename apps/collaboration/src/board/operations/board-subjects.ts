import {
  Access,
  boardErrors,
  invalidParameters,
  memberLevels,
  type ParsedOf,
  present,
  type projectBoards,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { Assignees } from '../../issuable/assignees';
import { Labels } from '../../label/label.repository';
import { Milestones } from '../../milestone/milestone.repository';
import type { BoardChange } from '../board.repository';
import type { ListSubject } from '../board-lists';
import type { BoardPlace } from './board-place';

type NewList = ParsedOf<typeof projectBoards.createList>;
type Scope = ParsedOf<typeof projectBoards.update>;

/** Converts input of clients (labels, milestones, users) to the stored form of a board. */
@Injectable()
export class BoardSubjects {
  private readonly hasTiers: boolean;

  constructor(
    private readonly labels: Labels,
    private readonly milestones: Milestones,
    private readonly assignees: Assignees,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.hasTiers = settings.EDITION === 'enterprise';
  }

  /**
   * @throws board.label_not_found and the like; common.bad_request for kinds of lists that the edition does not have
   */
  async ofList(place: BoardPlace, { label_id, assignee_id, milestone_id }: NewList): Promise<ListSubject> {
    if (label_id !== undefined) {
      const isHere = await this.labels.model.exists({ _id: label_id, owner: { $in: place.owners } });
      if (!isHere) throw boardErrors.labelNotFound();
      return { listType: 'label', labelId: label_id, milestoneId: null };
    }
    if (!this.hasTiers) throw invalidParameters('label_id is missing');
    if (assignee_id !== undefined) {
      await this.requireAssignee(place, assignee_id);
      return { listType: 'assignee', labelId: null, milestoneId: null, assigneeId: assignee_id };
    }
    const milestoneId = present(milestone_id, 'what the list is of');
    await this.requireMilestone(place, milestoneId);
    return { listType: 'milestone', labelId: null, milestoneId };
  }

  /** @throws board.user_not_found; board.milestone_not_found; common.invalid_record */
  async ofBoard(place: BoardPlace, given: Omit<Scope, 'id' | 'board_id'>): Promise<BoardChange> {
    const { hide_backlog_list: hideBacklogList, hide_closed_list: hideClosedList } = given;
    const everywhere = { name: given.name?.trim(), hideBacklogList, hideClosedList };
    if (!this.hasTiers) return everywhere;
    const { milestone_id: milestoneId, assignee_id: assigneeId, labels, weight } = given;
    if (milestoneId != null) await this.requireMilestone(place, milestoneId);
    if (assigneeId != null) await this.requireAssignee(place, assigneeId);
    const labelIds = labels && (await this.labels.findOrMakeIds(labels, place.owners));
    return { ...everywhere, milestoneId, assigneeId, labelIds, weight };
  }

  private async requireMilestone({ owners }: BoardPlace, id: number): Promise<void> {
    if (!(await this.milestones.model.exists({ _id: id, owner: { $in: owners } })))
      throw boardErrors.milestoneNotFound();
  }

  private async requireAssignee({ project, group }: BoardPlace, id: number): Promise<void> {
    const isHere = project
      ? (await this.assignees.filterAllowed(project, [id])).length > 0
      : group !== undefined && (await this.isMember(group.id, id));
    if (!isHere) throw boardErrors.userNotFound();
  }

  private async isMember(group_id: number, id: number): Promise<boolean> {
    const [known, [level]] = await Promise.all([
      this.users.records([id]),
      this.client.call(memberLevels, { group_id, user_ids: [id] }),
    ]);
    return known.has(id) && level !== undefined && level.access_level >= Access.Guest;
  }
}
