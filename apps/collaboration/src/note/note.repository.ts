import {
  Access,
  commonErrors,
  type listIssueNotes,
  type NoteableType,
  namedNotFound,
  noteCreated,
  noteDeleted,
  type Page,
  type ParsedOf,
  window,
} from '@moothall/contracts';
import { changeDocument, containing, findLongPage, newEvent, Outbox, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { type NoteSubject, newNote, type Thread } from '../activity/new-note';
import { type NoteDocument, type NoteSuggestion, notes } from '../activity/note.schema';
import { eventsOfReferences } from '../cross-reference/references';
import { entryFor, Journal } from '../journal/journal';
import { mostPeople } from '../user/most-people';
import type { Noteable, NoteableDocument } from './noteable';
import { decodeToken, encodeToken } from './page-token';

export type NoteListInput = Omit<ParsedOf<typeof listIssueNotes>, 'id' | 'issue_iid'>;
type Filter = QueryFilter<NoteDocument>;

type SubjectKey = Pick<NoteSubject, 'type' | 'id'>;

const notesPerStep = 500;
/** The task after the deletion of a note. */
const recountNotes = 'recount notes';

const subjectOf = ({ noteableType: type, noteableId: id }: NoteDocument): SubjectKey => ({ type, id });

const filterOf = ({ type, id }: SubjectKey): Filter => ({ noteableType: type, noteableId: id });

/** Reporters, the author of the note, and the author and assignees of its record may see confidential notes. */
export function seesAllNotes({
  accessLevel,
  document,
  caller,
}: Pick<Noteable, 'accessLevel' | 'caller'> & {
  document: Pick<Noteable['document'], 'authorId' | 'assigneeIds'>;
}): boolean {
  if (accessLevel >= Access.Reporter || document.authorId === caller.id) return true;
  return document.assigneeIds?.includes(caller.id) ?? false;
}

/** The notes of a record that the caller may see. */
export const visibleNotesOf = (noteable: Noteable): Filter => ({
  ...filterOf(noteable.subject),
  ...(!seesAllNotes(noteable) && { $or: [{ confidential: false }, { authorId: noteable.caller.id }] }),
});

/** Every query on notes. */
@Injectable()
export class Notes {
  constructor(
    @InjectModel('Note') readonly model: Model<NoteDocument>,
    private readonly journal: Journal,
    private readonly outbox: Outbox,
    private readonly ids: RecordIds,
  ) {
    journal.defineDuty(recountNotes, (model, id) => this.recountAll([{ type: model.modelName as NoteableType, id }]));
  }

  async page(noteable: Noteable, input: NoteListInput): Promise<Page<NoteDocument>> {
    const filter: Filter = {
      ...visibleNotesOf(noteable),
      ...(input.activity_filter !== 'all_notes' && { system: input.activity_filter === 'only_activity' }),
    };
    return input.pagination === 'keyset'
      ? this.keysetPage(filter, input)
      : findLongPage(this.model, filter, orderOf(input), input);
  }

  /** The token holds the end of the last page; ids alone are not enough, because notes are ordered by time. */
  private async keysetPage(filter: Filter, input: NoteListInput): Promise<Page<NoteDocument>> {
    const field = fieldOf(input);
    const beyond = input.sort === 'asc' ? '$gt' : '$lt';
    const after = input.page_token === undefined ? undefined : decodeToken(input.page_token);
    const from: Filter = after
      ? { $or: [{ [field]: { [beyond]: after.at } }, { [field]: after.at, _id: { [beyond]: after.id } }] }
      : {};
    const { limit } = window(input);
    const items = await this.model
      .find({ $and: [filter, from] })
      .sort(orderOf(input))
      .limit(limit + 1)
      .lean<NoteDocument[]>();
    const last = items.length > limit ? items[limit - 1] : undefined;
    const next = last && { page_token: encodeToken({ at: last[field], id: last._id }) };
    return { items: items.slice(0, limit), isKeyset: true, ...(next && { next }) };
  }

  /** In the order of their ids. */
  async findByIds(ids: number[]): Promise<NoteDocument[]> {
    if (ids.length === 0) return [];
    return this.model
      .find({ _id: { $in: ids } })
      .sort({ _id: 1 })
      .lean<NoteDocument[]>();
  }

  /** User notes of a project that contain all words, newest first; including confidential notes. */
  findWritten(
    projectId: number,
    words: string[],
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<NoteDocument[]> {
    const filter: Filter = {
      projectId,
      ...(before !== undefined && { _id: { $lt: before } }),
      system: false,
      $and: words.map((word) => ({ body: containing(word) })),
    };
    return this.model.find(filter).sort({ _id: -1 }).limit(limit).lean<NoteDocument[]>();
  }

  /** @throws common.not_found, also if the caller may not see it */
  async get(noteable: Noteable, id: number): Promise<NoteDocument> {
    const note = await this.model.findOne({ _id: id, ...filterOf(noteable.subject) }).lean<NoteDocument>();
    const isHidden = note?.confidential && note.authorId !== noteable.caller.id && !seesAllNotes(noteable);
    if (!note || isHidden) throw commonErrors.notFound();
    return note;
  }

  /** @returns the noteable with its current record @throws not found if it was deleted meanwhile */
  async reread(noteable: Noteable): Promise<Noteable> {
    const document = await noteable.model.findById(noteable.subject.id).lean<NoteableDocument>();
    if (!document) throw namedNotFound(noteable.subject.type);
    return { ...noteable, document };
  }

  /**
   * Writes a note, with a reserved id if given. The write that stores the note also counts it on its record.
   * @param gone error if the record was deleted meanwhile
   */
  async add(
    { subject, document, model, caller }: Noteable,
    {
      reservedId,
      ...written
    }: {
      body: string;
      at: Date;
      confidential: boolean;
      thread?: Thread | undefined;
      reservedId?: number | undefined;
      suggestions?: NoteSuggestion[] | undefined;
    },
    gone: () => Error,
  ): Promise<NoteDocument> {
    const id = reservedId ?? (await this.ids.next(notes));
    const note = newNote(subject, { id, authorId: caller.id, ...written });
    const counted = {
      $inc: { userNotesCount: 1, notesCountRevision: 1 },
      $max: { updatedAt: note.createdAt },
      ...((document.participantIds?.length ?? 0) < mostPeople && { $addToSet: { participantIds: caller.id } }),
    } as UpdateQuery<NoteableDocument>;
    const references = note.confidential ? [] : eventsOfReferences(subject, caller.id, note.body);
    const events = [newEvent(noteCreated, eventDataOf(note, document)), ...references];
    const isThere = await this.journal.touch(model, document._id, counted, [entryFor(notes, note)], ...events);
    if (!isThere) throw gone();
    return note;
  }

  /** Also finds a note that is still in the journal. */
  async isWritten({ subject, model }: Noteable, id: number): Promise<boolean> {
    if (await this.model.exists({ _id: id })) return true;
    const held = await this.journal.listHeld<NoteDocument, NoteableDocument>(model, subject.id, notes);
    return held.some(({ _id }) => _id === id);
  }

  /** @throws common.not_found if it was deleted meanwhile */
  async change(
    { subject, model, caller }: Noteable,
    id: number,
    body: string,
    suggestions: NoteSuggestion[] = [],
  ): Promise<NoteDocument> {
    const suggested = suggestions.length > 0 ? { suggestions } : {};
    const update = {
      $set: { body, updatedAt: new Date(), ...suggested },
      ...(suggestions.length === 0 && { $unset: { suggestions: 1 as const } }),
    };
    const changed = await this.model.findByIdAndUpdate(id, update, { returnDocument: 'after' }).lean<NoteDocument>();
    if (!changed) throw commonErrors.notFound();
    const references = changed.confidential ? [] : eventsOfReferences(subject, caller.id, body);
    if (references.length > 0) await this.journal.touch(model, subject.id, {}, [], ...references);
    return changed;
  }

  /** @throws common.not_found if another request removed it first */
  async remove({ subject, model, caller }: Noteable, note: NoteDocument): Promise<void> {
    const { projectId: project_id, groupId: group_id, _id: note_id } = note;
    const event = newEvent(noteDeleted, { project_id, group_id, user_id: caller.id, note_id });
    const duty = await this.journal.release(model, subject.id, notes, note_id, recountNotes);
    const wasThere = await this.outbox.remove(this.model, note_id, { ...event, id: `end of note ${note_id}` });
    await this.journal.doDuty(model, subject.id, duty);
    if (!wasThere) throw commonErrors.notFound();
  }

  /**
   * Removes all notes of an author. Their records are recounted first: a repeat after an interruption still finds them.
   */
  async removeAllOf(authorId: number): Promise<void> {
    for (;;) {
      const some = await this.model.find({ authorId }).limit(notesPerStep).lean<NoteDocument[]>();
      if (some.length === 0) return;
      const subjects = new Map(some.map((note) => [`${note.noteableType}/${note.noteableId}`, subjectOf(note)]));
      await this.recountAll([...subjects.values()], authorId);
      await this.model.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
      // A concurrent count includes them.
      await this.recountAll([...subjects.values()]);
    }
  }

  private async recountAll(subjects: SubjectKey[], withoutAuthor?: number): Promise<void> {
    for (const subject of subjects) {
      const model = this.model.db.models[subject.type] as Model<NoteableDocument> | undefined;
      if (model) await this.recount(subject, model, withoutAuthor);
    }
  }

  /**
   * Recounts the notes of a record, which also repairs a wrong count after an interruption. It starts again if the
   * count changed meanwhile.
   */
  private async recount(subject: SubjectKey, model: Model<NoteableDocument>, withoutAuthor?: number): Promise<void> {
    await changeDocument(
      model,
      { _id: subject.id },
      ['notesCountRevision'],
      async () => ({
        $set: { userNotesCount: await this.count(subject, model, withoutAuthor) },
        $inc: { notesCountRevision: 1 },
      }),
      (unchanged, update) =>
        model
          .findOneAndUpdate(unchanged, update, { timestamps: false, projection: { _id: 1 } })
          .lean<NoteableDocument>(),
    );
  }

  /** Notes in the journal count too, whether they are inserted yet or not. */
  private async count(subject: SubjectKey, model: Model<NoteableDocument>, withoutAuthor?: number): Promise<number> {
    const held = await this.journal.listHeld<NoteDocument, NoteableDocument>(model, subject.id, notes);
    const coming = held.filter(({ system, authorId }) => !system && authorId !== withoutAuthor);
    const ids = held.map(({ _id }) => _id);
    const others: Filter = { ...filterOf(subject), system: false, _id: { $nin: ids } };
    if (withoutAuthor !== undefined) others.authorId = { $ne: withoutAuthor };
    return coming.length + (await this.model.countDocuments(others));
  }
}

const fieldOf = ({ order_by }: NoteListInput) => (order_by === 'updated_at' ? 'updatedAt' : 'createdAt');

function orderOf(input: NoteListInput): Record<string, 1 | -1> {
  const direction = input.sort === 'asc' ? 1 : -1;
  return { [fieldOf(input)]: direction, _id: direction };
}

const eventDataOf = (note: NoteDocument, on: NoteableDocument) => ({
  project_id: note.projectId,
  group_id: note.groupId,
  note: {
    id: note._id,
    body: note.body,
    author_id: note.authorId,
    noteable_type: note.noteableType,
    noteable_id: note.noteableId,
    noteable_iid: note.noteableIid,
    ...(note.commitId !== undefined && { commit_id: note.commitId }),
    confidential: note.confidential,
    ...(on.confidential && { insider_ids: [on.authorId, ...(on.assigneeIds ?? [])] }),
    created_at: note.createdAt.toISOString(),
    ...(note.discussionId !== undefined && { discussion_id: note.discussionId }),
  },
});
