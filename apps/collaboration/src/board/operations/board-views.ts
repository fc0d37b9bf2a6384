import { type Board, type BoardList, type Milestone, only, type UserSummary } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { Labels } from '../../label/label.repository';
import type { LabelDocument } from '../../label/label.schema';
import { viewBasicLabel } from '../../label/label.view';
import { MilestoneViews } from '../../milestone/milestone-views';
import { Urls } from '../../parent/urls';
import type { BoardDocument, BoardList as StoredList } from '../board.schema';
import { listsInOrder } from '../board-lists';
import { type BoardPlace, viewPlace } from './board-place';

/** Subjects of boards, by id. */
interface Named {
  labels: Map<number, LabelDocument>;
  milestones: Map<number, Milestone>;
  users: Map<number, UserSummary>;
}

/** Shows boards with their lists. It reads labels, milestones and people of all boards in one batch per kind. */
@Injectable()
export class BoardViews {
  private readonly hasTiers: boolean;

  constructor(
    private readonly labels: Labels,
    private readonly milestones: MilestoneViews,
    private readonly users: UserDirectory,
    private readonly urls: Urls,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.hasTiers = settings.EDITION === 'enterprise';
  }

  async view(place: BoardPlace, boards: BoardDocument[]): Promise<Board[]> {
    const named = await this.findNamed(boards);
    return boards.map((board) => ({
      id: board._id,
      name: board.name,
      hide_backlog_list: board.hideBacklogList ?? false,
      hide_closed_list: board.hideClosedList ?? false,
      ...viewPlace(place, this.urls),
      lists: viewLists(board.lists, named),
      ...(this.hasTiers && {
        milestone: named.milestones.get(board.milestoneId ?? 0) ?? null,
        assignee: named.users.get(board.assigneeId ?? 0) ?? null,
        labels: board.labelIds.flatMap((id) => viewLabel(named.labels.get(id))),
        weight: board.weight ?? null,
      }),
    }));
  }

  async viewOne(place: BoardPlace, board: BoardDocument): Promise<Board> {
    return only(await this.view(place, [board]));
  }

  async viewLists(board: BoardDocument): Promise<BoardList[]> {
    return viewLists(board.lists, await this.findNamed([board]));
  }

  private async findNamed(boards: BoardDocument[]): Promise<Named> {
    const all = boards.flatMap((board) => [board, ...board.lists]);
    const [labels, milestones, users] = await Promise.all([
      this.labels.findByIds(boards.flatMap((board) => [...board.labelIds, ...idsOf(board.lists, 'labelId')])),
      this.milestones.byId(idsOf(all, 'milestoneId')),
      this.users.summaries(idsOf(all, 'assigneeId')),
    ]);
    return { labels, milestones, users };
  }
}

const idsOf = <K extends string>(of: { [key in K]?: number | null }[], key: K): number[] =>
  of.flatMap((one) => one[key] ?? []);

const viewLabel = (label: LabelDocument | undefined) => (label ? [viewBasicLabel(label)] : []);

const viewLists = (lists: StoredList[], named: Named): BoardList[] =>
  listsInOrder(lists).map((list, position) => ({ id: list.id, position, ...viewSubject(list, named) }));

function viewSubject({ labelId, milestoneId, assigneeId }: StoredList, { labels, milestones, users }: Named) {
  const [label] = viewLabel(labels.get(labelId ?? 0));
  const milestone = milestones.get(milestoneId ?? 0);
  const assignee = users.get(assigneeId ?? 0);
  return { ...(label && { label }), ...(milestone && { milestone }), ...(assignee && { assignee }) };
}
