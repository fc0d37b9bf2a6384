import {
  Access,
  type AwardEmoji,
  awardErrors,
  type CommandSummary,
  type CreatedNote,
  commonErrors,
  forbidden,
  type Note,
  namedNotFound,
  noteErrors,
  only,
  type Page,
  projectErrors,
  Reply,
} from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { Thread } from '../activity/new-note';
import type { NoteDocument } from '../activity/note.schema';
import { Awards } from '../award/award.repository';
import { viewAward } from '../award/award.view';
import { onlyEmojiIn } from '../award/emoji-name';
import { VisibleMentions } from '../mention/visible-mentions';
import { parseCommands } from '../quick-action/parse-commands';
import { type NoteListInput, Notes, seesAllNotes } from './note.repository';
import { peopleOf, viewAwardedNote, viewNote } from './note.view';
import type { Noteable } from './noteable';

interface NewNoteInput {
  body: string;
  created_at?: string | undefined;
  confidential?: boolean | undefined;
  internal?: boolean | undefined;
  /** Reserved id of the note, if there is one. */
  reservedId?: number | undefined;
}

/** Operations on notes of any kind of record. See docs/api/notes.md#1. */
@Injectable()
export class NoteActions {
  constructor(
    private readonly notes: Notes,
    private readonly awards: Awards,
    private readonly users: UserDirectory,
    private readonly mentions: VisibleMentions,
  ) {}

  async list(noteable: Noteable, input: NoteListInput): Promise<Page<Note>> {
    const page = await this.notes.page(noteable, input);
    return { ...page, items: await this.viewAll(page.items, noteable) };
  }

  /** Notes that the caller may see: mentions from hidden records are left out. */
  async viewAll(notes: NoteDocument[], noteable: Noteable): Promise<Note[]> {
    return this.show(await this.mentions.filter(notes, noteable.caller), noteable);
  }

  private async show(notes: NoteDocument[], { caller, suggestions }: Noteable): Promise<Note[]> {
    const users = await this.users.records(notes.flatMap(peopleOf));
    const suggested = await suggestions?.view(notes);
    return notes.map((note) => viewNote(note, users, caller, suggested?.get(note._id)));
  }

  /** @throws common.not_found, also if the caller may not see it */
  async get(noteable: Noteable, noteId: number): Promise<Note> {
    const [note] = await this.viewAll([await this.notes.get(noteable, noteId)], noteable);
    if (!note) throw commonErrors.notFound();
    return note;
  }

  /** @throws common.forbidden; note.blank; note.commands_failed; award.taken for a repeated emoji */
  async create(noteable: Noteable, input: NewNoteInput): Promise<CreatedNote | Reply<CreatedNote>> {
    const emoji = onlyEmojiIn(input.body);
    if (!emoji) return this.comment(noteable, input);
    requireCommenter(noteable, isConfidential(input));
    return this.award(noteable, emoji);
  }

  /**
   * Writes a note and applies its commands. @param thread its discussion, if any
   * @throws common.forbidden; note.blank; note.commands_failed
   */
  async comment(noteable: Noteable, input: NewNoteInput, thread?: Thread): Promise<Note | Reply<CommandSummary>> {
    requireCommenter(noteable, isConfidential(input));
    const { body, commands } = parseCommands(input.body, noteable.commands);
    if (commands.length > 0) {
      const applied = await noteable.apply(commands);
      if (body === '') {
        if (applied.summary.length === 0) throw noteErrors.commandsFailed();
        return new Reply({ commands_changes: applied.changes, summary: applied.summary }, { status: 202 });
      }
      // The commands may have changed confidentiality or assignees, and with them who may see the note.
      const changed = await this.notes.reread(noteable);
      return { ...(await this.write(changed, body, input, thread)), commands_changes: applied.changes };
    }
    return this.write(noteable, body, input, thread);
  }

  /** Whether the note with a reserved id exists. */
  isWritten(noteable: Noteable, reservedId: number): Promise<boolean> {
    return this.notes.isWritten(noteable, reservedId);
  }

  /** @throws common.forbidden; project.archived */
  requireCommenter(noteable: Noteable): void {
    requireCommenter(noteable, false);
  }

  /**
   * Writes a note without applying commands; it is not confidential. @throws common.forbidden; note.blank;
   * project.archived
   */
  async say(noteable: Noteable, body: string, thread?: Thread): Promise<Note> {
    requireCommenter(noteable, false);
    return this.write(noteable, body, { body }, thread);
  }

  private async write(found: Noteable, body: string, input: NewNoteInput, thread?: Thread): Promise<Note> {
    if (body.trim() === '') throw noteErrors.blank();
    const noteable = (await found.stored?.()) ?? found;
    const isOwner = noteable.accessLevel >= Access.Owner;
    const at = isOwner && input.created_at ? new Date(input.created_at) : new Date();
    const gone = () => namedNotFound(noteable.subject.type);
    const confidential = isConfidential(input);
    const suggestions = await noteable.suggestions?.read(body, thread?.position);
    const written = { body, confidential, at, thread, reservedId: input.reservedId, suggestions };
    return this.view(await this.notes.add(noteable, written, gone), noteable);
  }

  private async award({ model, document, subject, caller }: Noteable, emoji: string) {
    const award = await this.awards.add(model, document._id, emoji, caller.id);
    if (!award) throw awardErrors.taken();
    const on: { type: AwardEmoji['awardable_type']; id: number } = { type: subject.type, id: subject.id };
    return viewAwardedNote(viewAward(award, on, await this.users.summaries([caller.id])), document.title);
  }

  /** @throws common.not_found; common.forbidden unless author or maintainer, and for system notes */
  async update(
    noteable: Noteable,
    noteId: number,
    input: { body: string; confidential?: boolean | undefined },
  ): Promise<Note> {
    const note = await this.notes.get(noteable, noteId);
    requireWritable(noteable);
    if (note.system) throw forbidden();
    requireAuthorOrMaintainer(note, noteable);
    const { body } = parseCommands(input.body, noteable.commands);
    const suggestions = await noteable.suggestions?.read(body, note.position);
    return this.view(await this.notes.change(noteable, note._id, body, suggestions), noteable);
  }

  /** @throws common.not_found; common.forbidden unless author or maintainer */
  async remove(noteable: Noteable, noteId: number): Promise<void> {
    const note = await this.notes.get(noteable, noteId);
    requireWritable(noteable);
    if (note.system && noteable.accessLevel < Access.Maintainer) throw forbidden();
    requireAuthorOrMaintainer(note, noteable);
    await this.notes.remove(noteable, note);
    if (note.unresolvedOn !== undefined) await noteable.onSettled?.();
  }

  private async view(note: NoteDocument, noteable: Noteable): Promise<Note> {
    return only(await this.show([note], noteable));
  }
}

const isConfidential = ({ confidential, internal }: NewNoteInput): boolean => confidential ?? internal ?? false;

/** @throws project.archived */
export function requireWritable({ isArchived }: Noteable): void {
  if (isArchived) throw projectErrors.archived();
}

function requireCommenter(noteable: Noteable, confidential: boolean): void {
  requireWritable(noteable);
  const isMember = noteable.accessLevel >= Access.Guest;
  if (noteable.document.discussionLocked && !isMember) throw forbidden();
  if (confidential && !(noteable.takesConfidentialNotes && seesAllNotes(noteable))) throw forbidden();
}

function requireAuthorOrMaintainer(note: NoteDocument, { caller, accessLevel }: Noteable): void {
  if (note.authorId !== caller.id && accessLevel < Access.Maintainer) throw forbidden();
}
