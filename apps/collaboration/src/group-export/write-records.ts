import { type ContextOf, importGroupRecords, type ParsedOf, present } from '@moothall/contracts';
import { Counters, isDuplicateKey, RecordIds } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newNote } from '../activity/new-note';
import { notes } from '../activity/note.schema';
import type { EpicDocument } from '../epic/epic.schema';
import { newIssuable } from '../issuable/issuable';
import { entryFor, Journal, type JournalEntry } from '../journal/journal';
import { groupOwner, type OwnerKey } from '../parent/owner';
import { TakePlan } from '../plan-archive/take-plan';
import { FollowParentDeletions } from '../removal/follow-parent-deletions';

type Input = ParsedOf<typeof importGroupRecords>;
type ImportedEpic = NonNullable<Input['epics']>[number];

/** Imports the records of an archive into a group. Existing records stay unchanged. */
@Controller()
export class WriteGroupRecords {
  constructor(
    private readonly plan: TakePlan,
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    private readonly counters: Counters,
    private readonly ids: RecordIds,
    private readonly journal: Journal,
    private readonly deletions: FollowParentDeletions,
  ) {}

  @Handles(importGroupRecords)
  async handle(_: ContextOf<typeof importGroupRecords>, input: Input) {
    try {
      return { created: await this.take(input) };
    } finally {
      // An import that timed out on this page may have deleted the group meanwhile.
      await this.deletions.removeIfDeleted(input.group_id);
    }
  }

  private async take(input: Input): Promise<number> {
    const owner = groupOwner(input.group_id);
    const owners = [owner, ...input.ancestor_ids.map(groupOwner)];
    let created = 0;
    const count = (isNew: boolean): void => {
      if (isNew) created += 1;
    };
    for (const label of input.labels ?? []) count(await this.plan.takeLabel(owner, [owner], label));
    for (const milestone of input.milestones ?? []) count(await this.plan.takeMilestone(owner, [owner], milestone));
    for (const board of input.boards ?? []) count(await this.plan.takeBoard(owner, owners, board));
    for (const epic of input.epics ?? []) count(await this.takeEpic(input.group_id, owners, epic));
    return created;
  }

  /** The notes are embedded in the epic until they are inserted: an interruption loses none. */
  private async takeEpic(groupId: number, owners: OwnerKey[], epic: ImportedEpic): Promise<boolean> {
    await this.counters.atLeast(`epics/group/${groupId}`, epic.iid);
    const known = await this.epics.findOne({ groupId, iid: epic.iid }).lean<EpicDocument>();
    if (known) {
      await this.adoptChildren(known);
      if (epic.notes_before > 0) await this.addNotes(known, epic);
      return false;
    }
    const document = await this.buildEpic(groupId, owners, epic);
    const entries = await this.buildNotes(document, epic);
    try {
      await this.journal.insert(this.epics, document, entries);
      await this.adoptChildren(document);
      return true;
    } catch (error) {
      // A concurrent request with the same page.
      if (isDuplicateKey(error, 'iid')) return false;
      throw error;
    }
  }

  /** Adds further notes to an epic, once, and only if all earlier ones are there. */
  private async addNotes({ _id, iid, groupId }: EpicDocument, { notes_before, notes }: ImportedEpic): Promise<void> {
    const entries = await this.buildNotes({ _id, iid, groupId }, { notes });
    const change = {
      $set: { importedNotes: notes_before + notes.length },
      $inc: { userNotesCount: notes.filter(({ system }) => !system).length, notesCountRevision: 1 },
    };
    await this.journal.update(this.epics, { _id, importedNotes: notes_before }, change, entries);
  }

  private async buildNotes(
    { _id, iid, groupId }: Pick<EpicDocument, '_id' | 'iid' | 'groupId'>,
    epic: Pick<ImportedEpic, 'notes'>,
  ): Promise<JournalEntry[]> {
    const subject = { type: 'Epic', id: _id, iid, projectId: null, groupId } as const;
    const noteIds = await this.ids.take(notes, epic.notes.length);
    return epic.notes.map((note, at) => {
      const written = {
        id: present(noteIds[at], 'the id of a note'),
        body: note.body,
        authorId: note.author_id,
        at: new Date(note.created_at),
      };
      const { system, confidential } = note;
      const record = newNote(subject, { ...written, system, confidential });
      return entryFor(notes, { ...record, updatedAt: new Date(note.updated_at) });
    });
  }

  /** Child epics that were imported before it. */
  private async adoptChildren({ _id, iid, groupId }: EpicDocument): Promise<void> {
    const awaiting = { groupId, awaitedParentIid: iid };
    await this.epics.updateMany(awaiting, { $set: { parentId: _id }, $unset: { awaitedParentIid: 1 } });
  }

  private async buildEpic(groupId: number, owners: OwnerKey[], epic: ImportedEpic): Promise<EpicDocument> {
    const labels = await this.plan.findLabelIds(owners, epic.label_titles);
    const parent = epic.parent_iid
      ? await this.epics.findOne({ groupId, iid: epic.parent_iid }, { _id: 1 }).lean<{ _id: number }>()
      : null;
    return {
      ...newIssuable(new Date(epic.created_at)),
      _id: await this.counters.next('epics'),
      iid: epic.iid,
      groupId,
      title: epic.title,
      description: epic.description,
      state: epic.state,
      authorId: epic.author_id,
      confidential: epic.confidential,
      labelIds: epic.label_titles.flatMap((title) => labels.get(title) ?? []),
      parentId: parent?._id ?? null,
      ...(epic.parent_iid && !parent && { awaitedParentIid: epic.parent_iid }),
      startDateFixed: epic.start_date_fixed,
      startDateIsFixed: epic.start_date_is_fixed,
      dueDateFixed: epic.due_date_fixed,
      dueDateIsFixed: epic.due_date_is_fixed,
      userNotesCount: epic.notes.filter(({ system }) => !system).length,
      importedNotes: epic.notes.length,
      updatedAt: new Date(epic.updated_at),
      closedAt: epic.closed_at === null ? null : new Date(epic.closed_at),
    };
  }
}
