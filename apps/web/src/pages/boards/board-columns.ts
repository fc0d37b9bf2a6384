import type { Board, BoardList, InputOf, listProjectIssueCards } from '@moothall/contracts';

type IssueFilter = Pick<
  InputOf<typeof listProjectIssueCards>,
  'state' | 'labels' | 'milestone' | 'assignee_username' | 'weight' | 'not'
>;

/** A column of a board, and which issues it has. */
export interface Column {
  id: string;
  name: string;
  filter: IssueFilter;
}

/** The columns of a board from left to right: open issues of no list, its lists, closed issues. */
export function columnsOf(board: Board): Column[] {
  const lists = board.lists.map((list) => ({
    id: String(list.id),
    name: nameOf(list),
    filter: { ...within(board, list), state: 'opened' as const },
  }));
  return [
    ...(board.hide_backlog_list ? [] : [{ id: 'open', name: 'Open', filter: openOf(board) }]),
    ...lists,
    ...(board.hide_closed_list
      ? []
      : [{ id: 'closed', name: 'Closed', filter: { ...within(board), state: 'closed' as const } }]),
  ];
}

const nameOf = ({ label, assignee, milestone, id }: BoardList): string =>
  label?.name ?? assignee?.name ?? milestone?.title ?? String(id);

/** Issues in the scope of the board, and in one of its lists. */
function within({ labels = [], milestone, assignee, weight }: Board, list: Partial<BoardList> = {}): IssueFilter {
  const names = [...labels, list.label].flatMap((label) => (label ? [label.name] : []));
  const wanted = list.milestone ?? milestone;
  const worker = list.assignee ?? assignee;
  return {
    ...(names.length > 0 && { labels: names }),
    ...(wanted && { milestone: wanted.title }),
    ...(worker && { assignee_username: [worker.username] }),
    ...(weight != null && { weight: String(weight) }),
  };
}

/** Open issues that are in none of its lists. */
function openOf(board: Board): IssueFilter {
  const labels = board.lists.flatMap(({ label }) => (label ? [label.name] : []));
  const assignees = board.lists.flatMap(({ assignee }) => (assignee ? [assignee.username] : []));
  const milestones = board.lists.flatMap(({ milestone }) => (milestone ? [milestone.id] : []));
  const not = {
    ...(labels.length > 0 && { labels }),
    ...(assignees.length > 0 && { assignee_username: assignees }),
    ...(milestones.length > 0 && { milestone_ids: milestones }),
  };
  return { ...within(board), state: 'opened', ...(Object.keys(not).length > 0 && { not }) };
}
