import { type ContextOf, exportGroupRecords, type OutputOf, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { calculateObjectSize } from 'bson';
import type { Model, QueryFilter } from 'mongoose';
import type { BoardDocument } from '../board/board.schema';
import type { EpicDocument } from '../epic/epic.schema';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { NoteDocument } from '../note/note.schema';
import { groupOwner } from '../place/owner';
import { exportBoard, exportEpic, exportLabel, exportMilestone } from './exported.view';

type Exported = OutputOf<typeof exportGroupRecords>;
/** A page that has so many bytes is full: descriptions are long now and then, and a message has an end. */
const enoughBytes = 2 * 1024 ** 2;

interface Paging {
  after_id: number;
  limit: number;
}

/** Hands out what a group has here, page by page. */
@Controller()
export class ReadGroupRecords {
  constructor(
    private readonly labels: Labels,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
    @InjectModel('Board') private readonly boards: Model<BoardDocument>,
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
  ) {}

  @Handles(exportGroupRecords)
  async handle(_: ContextOf<typeof exportGroupRecords>, input: ParsedOf<typeof exportGroupRecords>): Promise<Exported> {
    const owner = groupOwner(input.group_id);
    switch (input.kind) {
      case 'labels': {
        const page = await next<LabelDocument>(this.labels.model, { owner }, input);
        return { labels: page.items.map(exportLabel), next_after_id: page.nextAfterId };
      }
      case 'milestones': {
        const page = await next(this.milestones, { owner }, input);
        return { milestones: page.items.map(exportMilestone), next_after_id: page.nextAfterId };
      }
      case 'boards':
        return this.exportBoards(await next(this.boards, { owner }, input));
      case 'epics':
        return this.exportEpics(await next(this.epics, { groupId: input.group_id }, input));
    }
  }

  private async exportBoards({ items, nextAfterId }: Step<BoardDocument>): Promise<Exported> {
    const labelIds = items.flatMap((board) => [
      ...board.labelIds,
      ...board.lists.flatMap(({ labelId }) => labelId ?? []),
    ]);
    const milestoneIds = items.flatMap((board) =>
      [board, ...board.lists].flatMap(({ milestoneId }) => milestoneId ?? []),
    );
    const [labels, milestones] = await Promise.all([
      this.labels.byIds(labelIds),
      this.milestones.find({ _id: { $in: milestoneIds } }).lean<MilestoneDocument[]>(),
    ]);
    const milestoneTitles = new Map(milestones.map(({ _id, title }) => [_id, title]));
    return {
      boards: items.map((board) => exportBoard(board, titlesOf(labels), milestoneTitles)),
      next_after_id: nextAfterId,
    };
  }

  private async exportEpics({ items, nextAfterId }: Step<EpicDocument>): Promise<Exported> {
    const ids = items.map(({ _id }) => _id);
    const [labels, parents, notes] = await Promise.all([
      this.labels.byIds(items.flatMap(({ labelIds }) => labelIds)),
      this.epics.find({ _id: { $in: items.flatMap(({ parentId }) => parentId ?? []) } }).lean<EpicDocument[]>(),
      this.notes
        .find({ noteableType: 'Epic', noteableId: { $in: ids } })
        .sort({ _id: 1 })
        .lean<NoteDocument[]>(),
    ]);
    // A parent in a group above is not part of the archive.
    const own = parents.filter(({ groupId }) => groupId === items[0]?.groupId);
    const parentIids = new Map(own.map(({ _id, iid }) => [_id, iid]));
    return {
      epics: items.map((epic) => exportEpic(epic, titlesOf(labels), parentIids, notes)),
      next_after_id: nextAfterId,
    };
  }
}

interface Step<T> {
  items: T[];
  nextAfterId: number | null;
}

async function next<T extends { _id: number }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { after_id, limit }: Paging,
): Promise<Step<T>> {
  const cursor = model
    .find({ ...filter, _id: { $gt: after_id } })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<T>()
    .cursor();
  const items: T[] = [];
  let bytes = 0;
  for await (const item of cursor) {
    items.push(item as T);
    bytes += calculateObjectSize(item);
    if (items.length === limit || bytes >= enoughBytes) return { items, nextAfterId: (item as T)._id };
  }
  return { items, nextAfterId: null };
}

const titlesOf = (labels: ReadonlyMap<number, LabelDocument>): Map<number, string> =>
  new Map([...labels].map(([id, { title }]) => [id, title]));
