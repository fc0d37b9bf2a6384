import { draftNoteErrors, invalidRecord, type Page } from '@moothall/contracts';
import { addWithin, findPage, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { type DraftNoteDocument, draftNotes } from '../activity/draft-note.schema';
import { notes } from '../activity/note.schema';

type Filter = QueryFilter<DraftNoteDocument>;
/** A draft that is being published. */
export type ClaimedDraft = DraftNoteDocument & Required<Pick<DraftNoteDocument, 'noteId'>>;
type Owned = Pick<DraftNoteDocument, 'mergeRequestId' | 'authorId'>;

/** Limit of drafts per user and merge request. */
export const mostDrafts = 500;
/** The lease of a publishing process expires after this time. */
const givenUpAfterMs = 60_000;

/** Every query on drafts of notes. */
@Injectable()
export class DraftNotes {
  constructor(
    @InjectModel('DraftNote') private readonly drafts: Model<DraftNoteDocument>,
    private readonly ids: RecordIds,
  ) {}

  page(owned: Owned, input: { page: number; per_page: number }): Promise<Page<DraftNoteDocument>> {
    return findPage(this.drafts, owned, { _id: 1 }, input);
  }

  /** Oldest first. */
  async listIds(owned: Owned): Promise<number[]> {
    const found = await this.drafts.find(owned, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  /** @throws draft_note.not_found */
  async get(owned: Owned, id: number): Promise<DraftNoteDocument> {
    return orNotFound(await this.drafts.findOne({ ...owned, _id: id }).lean<DraftNoteDocument>());
  }

  /** @throws common.invalid_record at the limit */
  async add(draft: Omit<DraftNoteDocument, '_id' | 'createdAt'>): Promise<DraftNoteDocument> {
    const { mergeRequestId, authorId } = draft;
    const refusal = () => invalidRecord({ base: [`has too many drafts (maximum is ${mostDrafts})`] });
    const bound = { model: this.drafts, filter: { mergeRequestId, authorId }, most: mostDrafts, refusal };
    return addWithin(bound, async () => {
      const made = { ...draft, _id: await this.ids.next(draftNotes), createdAt: new Date() };
      await this.drafts.create(made);
      return made;
    });
  }

  /** @throws draft_note.not_found */
  async change(
    owned: Owned,
    id: number,
    given: Partial<Pick<DraftNoteDocument, 'body' | 'position'>>,
  ): Promise<DraftNoteDocument> {
    const changed = this.drafts.findOneAndUpdate({ ...owned, _id: id }, { $set: given }, { returnDocument: 'after' });
    return orNotFound(await changed.lean<DraftNoteDocument>());
  }

  /** @throws draft_note.not_found */
  async remove(owned: Owned, id: number): Promise<void> {
    const { deletedCount } = await this.drafts.deleteOne({ ...owned, _id: id });
    if (deletedCount === 0) throw draftNoteErrors.notFound();
  }

  /**
   * Of two concurrent publications one succeeds, and the other does not find it. A repeat after an interruption uses
   * the same note id.
   * @throws draft_note.not_found, also while another request publishes it
   */
  async claim(owned: Owned, id: number): Promise<ClaimedDraft> {
    const now = new Date();
    const isFree: Filter = {
      $or: [
        { publishingSince: { $exists: false } },
        { publishingSince: { $lt: new Date(now.getTime() - givenUpAfterMs) } },
      ],
    };
    const claimed = this.drafts.findOneAndUpdate({ ...owned, _id: id, ...isFree }, { $set: { publishingSince: now } });
    const draft = orNotFound(await claimed.lean<DraftNoteDocument>());
    if (draft.noteId !== undefined) return { ...draft, noteId: draft.noteId };
    const noteId = await this.ids.next(notes);
    await this.drafts.updateOne({ _id: id }, { $set: { noteId } });
    return { ...draft, noteId };
  }

  /** Makes it a draft again. */
  async release(id: number): Promise<void> {
    await this.drafts.updateOne({ _id: id }, { $unset: { publishingSince: 1 } });
  }
}

function orNotFound(draft: DraftNoteDocument | null): DraftNoteDocument {
  if (!draft) throw draftNoteErrors.notFound();
  return draft;
}
