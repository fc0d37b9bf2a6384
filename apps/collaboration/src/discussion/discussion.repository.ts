import { discussionErrors, only, type Page, window } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { NoteDocument } from '../activity/note.schema';
import { visibleNotesOf } from '../note/note.repository';
import { isResolvable } from '../note/note.view';
import type { Noteable } from '../note/noteable';
import { noteIdIn } from './discussion-id';

type Filter = QueryFilter<NoteDocument>;

/** Notes of one discussion, oldest first, and the note it is called by, which may be gone. */
export interface DiscussionRecord {
  id: number;
  notes: [NoteDocument, ...NoteDocument[]];
}

const inOrder = { createdAt: 1, _id: 1 } as const;
const keyOf = ({ _id, discussionId }: NoteDocument): number => discussionId ?? _id;

/** Every query on notes by the discussions that they form. */
@Injectable()
export class Discussions {
  constructor(@InjectModel('Note') private readonly notes: Model<NoteDocument>) {}

  /** Those with a note that the caller may see, by when they began. */
  async page(noteable: Noteable, input: { page: number; per_page: number }): Promise<Page<DiscussionRecord>> {
    const { skip, limit } = window(input);
    const visible = visibleNotesOf(noteable);
    const found = await this.notes.aggregate<{ page: { _id: number }[]; all: { total: number }[] }>([
      { $match: visible },
      { $group: { _id: { $ifNull: ['$discussionId', '$_id'] }, createdAt: { $min: '$createdAt' } } },
      {
        $facet: {
          page: [{ $sort: inOrder }, { $skip: skip }, { $limit: limit }],
          all: [{ $count: 'total' }],
        },
      },
    ]);
    const { page, all } = only(found);
    const ids = page.map(({ _id }) => _id);
    const notes = await this.findNotes(visible, ids);
    const items = ids.flatMap((id) => recordOf(id, notes) ?? []);
    return { items, total: all[0]?.total ?? 0 };
  }

  /** @throws discussion.not_found */
  async get(noteable: Noteable, discussionId: string): Promise<DiscussionRecord> {
    const id = noteIdIn(discussionId);
    const notes = id === undefined ? [] : await this.findNotes(visibleNotesOf(noteable), [id]);
    const found = id === undefined ? undefined : recordOf(id, notes);
    if (!found) throw discussionErrors.notFound();
    return found;
  }

  private findNotes(visible: Filter, ids: number[]): Promise<NoteDocument[]> {
    const isInOne: Filter = { $or: [{ _id: { $in: ids } }, { discussionId: { $in: ids } }] };
    const filter: Filter = { $and: [visible, isInOne] };
    return this.notes.find(filter).sort(inOrder).lean<NoteDocument[]>().exec();
  }

  /** Makes a note of its own the first of a discussion. */
  async begin({ id, notes: [{ noteableType, noteableId }] }: DiscussionRecord): Promise<void> {
    const waits = noteableType === 'MergeRequest' ? { unresolvedOn: noteableId } : {};
    const begun = { discussionId: id, ...waits };
    await this.notes.updateOne({ _id: id, discussionId: { $exists: false } }, { $set: begun }, { timestamps: false });
  }

  /** Resolves notes, or says that they wait again; those that are so already keep who did it and when. */
  async resolve(notes: NoteDocument[], isResolved: boolean, userId: number): Promise<void> {
    const ids = notes.filter(isResolvable).map(({ _id }) => _id);
    if (isResolved) {
      const waiting: Filter = { _id: { $in: ids }, unresolvedOn: { $exists: true } };
      const resolution = { resolvedAt: new Date(), resolvedById: userId };
      await this.notes.updateMany(waiting, { $set: resolution, $unset: { unresolvedOn: 1 } });
      return;
    }
    const [first] = notes;
    if (!first) return;
    const reopening = { $set: { unresolvedOn: first.noteableId }, $unset: { resolvedAt: 1, resolvedById: 1 } };
    await this.notes.updateMany({ _id: { $in: ids } }, reopening);
  }
}

function recordOf(id: number, notes: NoteDocument[]): DiscussionRecord | undefined {
  const [first, ...others] = notes.filter((note) => keyOf(note) === id);
  return first && { id, notes: [first, ...others] };
}
