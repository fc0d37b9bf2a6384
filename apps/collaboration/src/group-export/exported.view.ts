import type { exportGroupRecords, OutputOf } from '@moothall/contracts';
import type { NoteDocument } from '../activity/note.schema';
import type { BoardDocument } from '../board/board.schema';
import type { EpicDocument } from '../epic/epic.schema';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';

type Exported = OutputOf<typeof exportGroupRecords>;
type One<K extends 'labels' | 'milestones' | 'boards' | 'epics'> = NonNullable<Exported[K]>[number];
type Titles = ReadonlyMap<number, string>;

/** What is deleted has no title, and is left out. */
const known = (ids: number[], titles: Titles): string[] => ids.flatMap((id) => titles.get(id) ?? []);
const titleOf = (id: number | null, titles: Titles): string | null => (id === null ? null : (titles.get(id) ?? null));

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
    // People are not part of the archive.
    if (listType === 'assignee') return [];
    const titles = { label_title: titleOf(labelId, labels), milestone_title: titleOf(milestoneId, milestones) };
    return { list_type: listType, ...titles, position };
  }),
});

export const exportEpic = (
  epic: EpicDocument,
  labels: Titles,
  parentIids: ReadonlyMap<number, number>,
  notes: NoteDocument[],
  notesBefore: number,
): One<'epics'> => ({
  iid: epic.iid,
  parent_iid: epic.parentId === null ? null : (parentIids.get(epic.parentId) ?? null),
  title: epic.title,
  description: notesBefore > 0 ? null : epic.description,
  state: epic.state,
  confidential: epic.confidential,
  author_id: epic.authorId,
  label_titles: known(epic.labelIds, labels),
  start_date_fixed: epic.startDateFixed,
  start_date_is_fixed: epic.startDateIsFixed,
  due_date_fixed: epic.dueDateFixed,
  due_date_is_fixed: epic.dueDateIsFixed,
  created_at: epic.createdAt.toISOString(),
  updated_at: epic.updatedAt.toISOString(),
  closed_at: epic.closedAt?.toISOString() ?? null,
  notes_before: notesBefore,
  notes: notes.map((note) => ({
    body: note.body,
    author_id: note.authorId,
    system: note.system,
    confidential: note.confidential,
    created_at: note.createdAt.toISOString(),
    updated_at: note.updatedAt.toISOString(),
  })),
});
