import { type Caller, type ContextOf, type Note, type ParsedOf, searchProjectNotes, window } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Notes } from '../note/note.repository';
import { VisibleNotes } from './visible-notes';

const looksAtOnce = 200;
const looksAtMost = 2000;

/**
 * User notes in a project, newest first. The record of a note decides who may see it: matching notes are checked until
 * the page is full, up to a limit. See docs/api/search.md#8.
 */
@Controller()
export class SearchNotes {
  constructor(
    private readonly notes: Notes,
    private readonly visible: VisibleNotes,
  ) {}

  @Handles(searchProjectNotes)
  async handle({ project, caller }: ContextOf<typeof searchProjectNotes>, input: ParsedOf<typeof searchProjectNotes>) {
    const { skip, limit } = window(input);
    const words = input.search.split(/\s+/).filter((word) => word !== '');
    const { shown, isAll } = await this.find(project.id, words, caller, skip + limit);
    return { items: shown.slice(skip, skip + limit), total: isAll ? shown.length : undefined };
  }

  /** @returns at least as many as requested, or all there are */
  private async find(projectId: number, words: string[], caller: Caller, wanted: number) {
    const shown: Note[] = [];
    let before: number | undefined;
    for (let looked = 0; looked < looksAtMost; looked += looksAtOnce) {
      const some = await this.notes.findWritten(projectId, words, { before, limit: looksAtOnce });
      for (const { noteable_title: _, ...note } of await this.visible.show(some, caller)) shown.push(note);
      if (some.length < looksAtOnce) return { shown, isAll: true };
      if (shown.length > wanted) break;
      before = some.at(-1)?._id;
    }
    return { shown, isAll: false };
  }
}
