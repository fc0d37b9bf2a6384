import type { exportGroupRecords, OutputOf } from '@moothall/contracts';
import type { NoteDocument } from '../activity/note.schema';
import type { EpicDocument } from '../epic/epic.schema';
import { known, type Titles } from '../plan-archive/exported-plan.view';

type Exported = OutputOf<typeof exportGroupRecords>;

export const exportEpic = (
  epic: EpicDocument,
  labels: Titles,
  parentIids: ReadonlyMap<number, number>,
  notes: NoteDocument[],
  notesBefore: number,
): NonNullable<Exported['epics']>[number] => ({
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
