import { type NumberedKind, numberedKinds, type ProjectRecordKind } from '@moothall/contracts';
import type { Row } from '../format/archive-format';

interface Identified {
  id: number;
}

const isNumbered = (kind: ProjectRecordKind): kind is NumberedKind =>
  (numberedKinds as readonly string[]).includes(kind);

/**
 * Numbers records without a number of their own by their lines. Notes come last, and refer to snippets and first notes
 * by these numbers.
 */
export class RowNumbers {
  private readonly snippets = new Map<number, number>();
  private readonly discussions = new Map<number, number>();

  /** Converts a row to its archived form; empty for a row that is left out. */
  of(kind: ProjectRecordKind): (row: object) => object[] {
    if (!isNumbered(kind)) return (row) => [row];
    let last = 0;
    return (row) => {
      const numbered = this.numbered(kind, row as Identified, last + 1);
      if (!numbered) return [];
      last += 1;
      return [numbered];
    };
  }

  private numbered(kind: NumberedKind, row: Identified, line: number): object | undefined {
    if (kind === 'snippets') this.snippets.set(row.id, line);
    return kind === 'notes' ? this.numberedNote(row as Row<'notes'>, line) : { ...row, id: line };
  }

  /** @returns undefined for a note on a snippet that was created after the snippets were written */
  private numberedNote(note: Row<'notes'>, line: number): Row<'notes'> | undefined {
    const { discussion_id, noteable_type } = note;
    const noteable_iid = noteable_type === 'Snippet' ? this.snippets.get(note.noteable_iid) : note.noteable_iid;
    if (noteable_iid === undefined) return undefined;
    if (discussion_id === null) return { ...note, noteable_iid, id: line };
    // The first note may be deleted.
    const began = this.discussions.get(discussion_id) ?? line;
    this.discussions.set(discussion_id, began);
    return { ...note, noteable_iid, id: line, discussion_id: began };
  }
}
