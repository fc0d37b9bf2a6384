import {
  discussionErrors,
  type listIssueDiscussionBeginnings,
  type listLineDiscussions,
  mostLineNotes,
  type Page,
  type ParsedOf,
  window,
} from '@moothall/contracts';
import { countInTurn, findInTurn, type Query } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { NoteDocument } from '../activity/note.schema';
import { visibleNotesOf } from '../note/note.repository';
import { isResolvable } from '../note/note.view';
import type { Noteable } from '../note/noteable';
import { noteIdIn } from './discussion-id';

type Filter = QueryFilter<NoteDocument>;

/** Notes of one discussion, oldest first, and the id of its first note, which may be deleted. */
export interface DiscussionRecord {
  id: number;
  notes: [NoteDocument, ...NoteDocument[]];
}

/** A discussion without some of its later notes. */
export interface BegunRecord extends DiscussionRecord {
  /** How many. */
  left: number;
}

type Paging = { page: number; per_page: number };
export type BeginningsInput = Paging & Pick<ParsedOf<typeof listIssueDiscussionBeginnings>, 'notes' | 'characters'>;
export type LineFilter = Pick<ParsedOf<typeof listLineDiscussions>, 'head_sha' | 'paths' | 'characters'>;

/** Sort key of a discussion: its id, and its oldest note that the caller sees. */
interface Beginning {
  _id: number;
  createdAt: Date;
}

interface Answered extends Beginning {
  notes: number;
  /** Whether the first note still exists. */
  hasFirst: boolean;
}

interface FoundDiscussions {
  /** In the order of their start. */
  ids: number[];
  /** The number of notes of those that were started as discussions, or answered; others have one note. */
  answered: ReadonlyMap<number, number>;
}

/** The first notes of each discussion, with the beginnings of their texts. */
type Cut = Pick<BeginningsInput, 'notes' | 'characters'>;

const inOrder = { createdAt: 1, _id: 1 } as const;
const byBeginning = (one: Beginning, other: Beginning): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || one._id - other._id;
const earlierOf = (one: Beginning, other: Beginning | undefined): Beginning =>
  other && other.createdAt < one.createdAt ? other : one;
const keyOf = ({ _id, discussionId }: NoteDocument): number => discussionId ?? _id;

/** Queries on notes, grouped by discussion. */
@Injectable()
export class Discussions {
  constructor(@InjectModel('Note') private readonly notes: Model<NoteDocument>) {}

  /** Discussions with at least one note that the caller may see, in the order of their start. */
  async page(noteable: Noteable, input: Paging): Promise<Page<DiscussionRecord>> {
    const { total, ...found } = await this.findPage(noteable, input);
    const notes = await this.findNotes(noteable, found);
    return { items: found.ids.flatMap((id) => recordOf(id, notes) ?? []), total };
  }

  /** The same with the first notes of each discussion; their texts are cut. */
  async pageOfBeginnings(noteable: Noteable, input: BeginningsInput): Promise<Page<BegunRecord>> {
    const { total, ...found } = await this.findPage(noteable, input);
    const notes = await this.findNotes(noteable, found, input);
    const items = found.ids.flatMap((id) => {
      const record = recordOf(id, notes);
      if (!record) return [];
      const [first, ...others] = record.notes;
      const shown = others.slice(0, input.notes - 1);
      const left = Math.max((found.answered.get(id) ?? 1) - 1 - shown.length, 0);
      return [{ id, notes: [first, ...shown] as DiscussionRecord['notes'], left }];
    });
    return { items, total };
  }

  private async findPage(noteable: Noteable, input: Paging): Promise<FoundDiscussions & { total: number }> {
    const { skip, limit } = window(input);
    const visible = visibleNotesOf(noteable);
    // Most notes are discussions of their own: they are counted, and only those of the page are read.
    const [answered, all, begunFirst] = await Promise.all([
      this.findAnswered(visible),
      countInTurn(this.notes, visible),
      skip === 0 ? this.findSingles(visible, [], { skip, limit }) : undefined,
    ]);
    const unpublished = await this.findUnpublished(visible, answered);
    const threads = answered.map((thread) => earlierOf(thread, unpublished.get(thread._id)));
    const inThreads = answered.reduce((sum, { notes }) => sum + notes, unpublished.size);
    // The two counts are taken at slightly different moments.
    const single = Math.max(all - inThreads, 0);
    // However the threads are spread among the single notes, at least so many single notes come before the page.
    const passed = Math.min(Math.max(skip - threads.length, 0), single);
    const singles =
      begunFirst && unpublished.size === 0
        ? begunFirst
        : await this.findSingles(visible, [...unpublished.keys()], { skip: passed, limit: skip - passed + limit });
    const begun = [...threads, ...singles].sort(byBeginning).slice(skip - passed, skip - passed + limit);
    return {
      ids: begun.map(({ _id }) => _id),
      answered: new Map(answered.map(({ _id, notes }) => [_id, notes + (unpublished.has(_id) ? 1 : 0)])),
      total: single + threads.length,
    };
  }

  /** Discussions whose notes have a discussion id: started as a discussion, or answered. */
  private findAnswered(visible: Filter): Promise<Answered[]> {
    return this.notes.aggregate<Answered>([
      { $match: { ...visible, discussionId: { $gt: 0 } } },
      {
        $group: {
          _id: '$discussionId',
          createdAt: { $min: '$createdAt' },
          notes: { $sum: 1 },
          hasFirst: { $max: { $eq: ['$_id', '$discussionId'] } },
        },
      },
    ]);
  }

  /** First notes of answered discussions that were not updated yet. */
  private async findUnpublished(visible: Filter, answered: Answered[]): Promise<Map<number, Beginning>> {
    const ids = answered.filter(({ hasFirst }) => !hasFirst).map(({ _id }) => _id);
    if (ids.length === 0) return new Map();
    const filter: Filter = { $and: [visible, { _id: { $in: ids }, discussionId: null }] };
    const found = await this.notes.find(filter, { createdAt: 1 }).hint({ _id: 1 }).lean<Beginning[]>();
    return new Map(found.map((note) => [note._id, note]));
  }

  /** Single notes except the given ones, oldest first. */
  private findSingles(
    visible: Filter,
    except: number[],
    { skip, limit }: { skip: number; limit: number },
  ): Promise<Beginning[]> {
    const filter = { ...visible, discussionId: null, ...(except.length > 0 && { _id: { $nin: except } }) };
    return this.find<Beginning>([{ filter, projection: { createdAt: 1 }, sort: inOrder, skip, limit }]);
  }

  /** Discussions on lines, oldest first, of {@link mostLineNotes} notes; their texts are cut. */
  async findOnLines(
    noteable: Noteable,
    { head_sha, paths, characters }: LineFilter,
  ): Promise<{ items: DiscussionRecord[]; isWhole: boolean }> {
    const inFiles = [{ 'position.new_path': { $in: paths } }, { 'position.old_path': { $in: paths } }];
    const found = await this.notes.aggregate<NoteDocument>([
      { $match: { $and: [visibleNotesOf(noteable), { 'position.head_sha': head_sha, $or: inFiles }] } },
      { $sort: inOrder },
      { $limit: mostLineNotes + 1 },
      { $set: { body: { $substrCP: ['$body', 0, characters] } } },
    ]);
    const notes = found.slice(0, mostLineNotes);
    const ids = [...new Set(notes.map(keyOf))];
    return { items: ids.flatMap((id) => recordOf(id, notes) ?? []), isWhole: found.length <= mostLineNotes };
  }

  /** @throws discussion.not_found */
  async get(noteable: Noteable, discussionId: string): Promise<DiscussionRecord> {
    const id = noteIdIn(discussionId);
    if (id === undefined) throw discussionErrors.notFound();
    const found = recordOf(id, await this.findNotes(noteable, { ids: [id], answered: new Map([[id, 1]]) }));
    if (!found) throw discussionErrors.notFound();
    return found;
  }

  /** Oldest first. Each query uses its own selective index: a record may have ten thousand other notes. */
  private async findNotes(noteable: Noteable, { ids, answered }: FoundDiscussions, cut?: Cut): Promise<NoteDocument[]> {
    const visible = visibleNotesOf(noteable);
    const { notes: most = Number.POSITIVE_INFINITY, characters } = cut ?? {};
    const cutTexts = cut && { stages: [{ $set: { body: { $substrCP: ['$body', 0, characters] } } }] };
    const replied = ids.filter((id) => answered.has(id));
    const long = replied.filter((id) => (answered.get(id) ?? 0) > most);
    const short = replied.filter((id) => !long.includes(id));
    const queries: Query[] = [
      ...(ids.length > 0 ? [{ filter: { ...visible, _id: { $in: ids } } }] : []),
      ...(short.length > 0 ? [{ filter: { ...visible, discussionId: { $in: short } } }] : []),
      ...long.map((discussionId) => ({ filter: { ...visible, discussionId }, sort: inOrder, limit: most })),
    ];
    const found = await this.find<NoteDocument>(queries.map((query) => ({ ...query, ...cutTexts })));
    return [...new Map(found.map((note) => [note._id, note])).values()].sort(byBeginning);
  }

  private find<T>(queries: Query[]): Promise<T[]> {
    return findInTurn(this.notes, () => queries) as unknown as Promise<T[]>;
  }

  /** Makes a single note the first one of a discussion. */
  async begin({ id, notes: [{ noteableType, noteableId }] }: DiscussionRecord): Promise<void> {
    const waits = noteableType === 'MergeRequest' ? { unresolvedOn: noteableId } : {};
    const begun = { discussionId: id, ...waits };
    await this.notes.updateOne({ _id: id, discussionId: { $exists: false } }, { $set: begun }, { timestamps: false });
  }

  /** Resolves or reopens notes. Notes that already have the state keep their user and time. */
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
