import {
  Access,
  type CommandSummary,
  type Discussion,
  type DiscussionBeginning,
  discussionErrors,
  forbidden,
  type Note,
  type Page,
  Reply,
} from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { Thread } from '../activity/new-note';
import type { NoteDocument } from '../activity/note.schema';
import { isResolvable } from '../note/note.view';
import { NoteActions, requireWritable } from '../note/note-actions';
import type { Noteable } from '../note/noteable';
import { type BeginningsInput, type DiscussionRecord, Discussions, type LineFilter } from './discussion.repository';
import { discussionIdOf } from './discussion-id';

interface NewNote {
  body: string;
  created_at?: string | undefined;
  /** Reserved id of the note, if there is one. */
  reservedId?: number | undefined;
}

/** Operations on discussions of any kind of record. See docs/api/notes.md#9. */
@Injectable()
export class DiscussionActions {
  constructor(
    private readonly discussions: Discussions,
    private readonly notes: NoteActions,
  ) {}

  async list(noteable: Noteable, input: { page: number; per_page: number }): Promise<Page<Discussion>> {
    const { items, total } = await this.discussions.page(noteable, input);
    return { items: await this.viewAll(items, noteable), total };
  }

  /** The same with the first notes of each discussion, and the beginnings of their texts. */
  async listBeginnings(noteable: Noteable, input: BeginningsInput): Promise<Page<DiscussionBeginning>> {
    const { items, total } = await this.discussions.pageOfBeginnings(noteable, input);
    const leftIn = new Map(items.map(({ id, left }) => [discussionIdOf(id), left]));
    const shown = await this.viewAll(items, noteable);
    return { items: shown.map((each) => ({ ...each, left: leftIn.get(each.id) ?? 0 })), total };
  }

  /** Discussions on lines of some files, and whether these are all. */
  async listOnLines(noteable: Noteable, input: LineFilter): Promise<{ discussions: Discussion[]; is_whole: boolean }> {
    const { items, isWhole } = await this.discussions.findOnLines(noteable, input);
    return { discussions: await this.viewAll(items, noteable), is_whole: isWhole };
  }

  private async viewAll(found: DiscussionRecord[], noteable: Noteable): Promise<Discussion[]> {
    const views = await this.notes.viewAll(
      found.flatMap(({ notes }) => notes),
      noteable,
    );
    const viewOf = new Map(views.map((each) => [each.id, each]));
    const shown = found.map((each) =>
      view(
        each,
        each.notes.flatMap(({ _id }) => viewOf.get(_id) ?? []),
      ),
    );
    return shown.filter(({ notes }) => notes.length > 0);
  }

  /** @throws discussion.not_found */
  async get(noteable: Noteable, discussionId: string): Promise<Discussion> {
    const found = await this.discussions.get(noteable, discussionId);
    const notes = await this.notes.viewAll(found.notes, noteable);
    if (notes.length === 0) throw discussionErrors.notFound();
    return view(found, notes);
  }

  /** @throws the errors of creating a note */
  async create(
    noteable: Noteable,
    input: NewNote,
    position?: Thread['position'],
  ): Promise<Discussion | Reply<CommandSummary>> {
    const note = await this.notes.comment(noteable, input, { position });
    if (note instanceof Reply) return note;
    return { id: discussionIdOf(note.id), individual_note: false, notes: [note] };
  }

  /** @throws discussion.not_found; discussion.takes_no_replies */
  async requireAnswerable(noteable: Noteable, discussionId: string): Promise<void> {
    const { notes } = await this.discussions.get(noteable, discussionId);
    if (notes[0].system) throw discussionErrors.takesNoReplies();
  }

  /** A reply is as confidential as the discussion. @throws discussion.not_found; discussion.takes_no_replies */
  async reply(noteable: Noteable, discussionId: string, input: NewNote): Promise<Note | Reply<CommandSummary>> {
    const found = await this.discussions.get(noteable, discussionId);
    const [first] = found.notes;
    if (first.system) throw discussionErrors.takesNoReplies();
    const isResolved = found.notes.some(isResolvable) && found.notes.every(isSettled);
    const thread = { id: found.id, isResolved, ...(first.position && { position: first.position }) };
    const answer = await this.notes.comment(noteable, { ...input, confidential: first.confidential }, thread);
    // Only after the reply is stored: a refused reply leaves a single note unchanged.
    if (first.discussionId === undefined && !(answer instanceof Reply)) await this.discussions.begin(found);
    return answer;
  }

  /** @throws discussion.not_found, also if the note belongs to another discussion */
  async getNote(noteable: Noteable, discussionId: string, noteId: number): Promise<Note> {
    await this.findNote(noteable, discussionId, noteId);
    return this.notes.get(noteable, noteId);
  }

  /** @throws discussion.not_found; discussion.not_resolvable; common.forbidden */
  async updateNote(
    noteable: Noteable,
    discussionId: string,
    noteId: number,
    { body, resolved }: { body?: string | undefined; resolved?: boolean | undefined },
  ): Promise<Note> {
    const note = await this.findNote(noteable, discussionId, noteId);
    if (body !== undefined) return this.notes.update(noteable, noteId, { body });
    if (resolved !== undefined) await this.settle(noteable, [note], resolved);
    return this.notes.get(noteable, noteId);
  }

  /** @throws discussion.not_found; common.forbidden */
  async removeNote(noteable: Noteable, discussionId: string, noteId: number): Promise<void> {
    await this.findNote(noteable, discussionId, noteId);
    await this.notes.remove(noteable, noteId);
  }

  /** @throws discussion.not_found; discussion.not_resolvable; common.forbidden */
  async resolve(noteable: Noteable, discussionId: string, isResolved: boolean): Promise<Discussion> {
    const { notes } = await this.discussions.get(noteable, discussionId);
    await this.settle(noteable, notes, isResolved);
    return this.get(noteable, discussionId);
  }

  /** Developers and the author of the record may resolve. */
  private async settle(noteable: Noteable, notes: NoteDocument[], isResolved: boolean): Promise<void> {
    const { caller, document, accessLevel } = noteable;
    if (!notes.some(isResolvable)) throw discussionErrors.notResolvable();
    requireWritable(noteable);
    if (accessLevel < Access.Developer && document.authorId !== caller.id) throw forbidden();
    await this.discussions.resolve(notes, isResolved, caller.id);
    if (isResolved) await noteable.onSettled?.();
  }

  private async findNote(noteable: Noteable, discussionId: string, noteId: number): Promise<NoteDocument> {
    const { notes } = await this.discussions.get(noteable, discussionId);
    const note = notes.find(({ _id }) => _id === noteId);
    if (!note) throw discussionErrors.notFound();
    return note;
  }
}

const isSettled = (note: NoteDocument): boolean => !isResolvable(note) || note.resolvedAt !== undefined;

const view = ({ id, notes: [first, ...others] }: DiscussionRecord, notes: Note[]): Discussion => ({
  id: discussionIdOf(id),
  // A reply makes it a discussion, even before its first note is updated.
  individual_note: others.length === 0 && first.discussionId === undefined,
  notes,
});
