import type { exportGroupRecords, OutputOf } from '@moothall/contracts';
import type { BoardDocument } from '../board/board.schema';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';

type Exported = OutputOf<typeof exportGroupRecords>;
type One<K extends 'labels' | 'milestones' | 'boards'> = NonNullable<Exported[K]>[number];
export type Titles = ReadonlyMap<number, string>;

/** Deleted ones have no title and are left out. */
export const known = (ids: number[], titles: Titles): string[] => ids.flatMap((id) => titles.get(id) ?? []);
export const titleOf = (id: number | null, titles: Titles): string | null =>
  id === null ? null : (titles.get(id) ?? null);

export const exportLabel = ({ title, color, description }: LabelDocument): One<'labels'> => ({
  title,
  color,
  description,
});

export const exportMilestone = (milestone: MilestoneDocument): One<'milestones'> => ({
  iid: milestone.iid,
  title: milestone.title,
  description: milestone.description,
  state: milestone.state,
  start_date: milestone.startDate,
  due_date: milestone.dueDate,
  created_at: milestone.createdAt.toISOString(),
  updated_at: milestone.updatedAt.toISOString(),
});

export const exportBoard = (board: BoardDocument, labels: Titles, milestones: Titles): One<'boards'> => ({
  name: board.name,
  milestone_title: titleOf(board.milestoneId, milestones),
  label_titles: known(board.labelIds, labels),
  lists: board.lists.flatMap(({ listType, labelId, milestoneId, position }) => {
    // Users are not part of the archive.
    if (listType === 'assignee') return [];
    const titles = { label_title: titleOf(labelId, labels), milestone_title: titleOf(milestoneId, milestones) };
    return { list_type: listType, ...titles, position };
  }),
});

export const titlesOf = (records: Iterable<{ _id: number; title: string }>): Map<number, string> =>
  new Map([...records].map(({ _id, title }) => [_id, title]));
