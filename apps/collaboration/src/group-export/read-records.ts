import { type ContextOf, exportGroupRecords, type OutputOf, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { calculateObjectSize } from 'bson';
import type { Model } from 'mongoose';
import type { NoteDocument } from '../activity/note.schema';
import type { BoardDocument } from '../board/board.schema';
import type { EpicDocument } from '../epic/epic.schema';
import { Labels } from '../label/label.repository';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { groupOwner } from '../parent/owner';
import { exportBoard, exportLabel, exportMilestone, titlesOf } from '../plan-archive/exported-plan.view';
import { enoughBytes, nextPage, type Step } from '../plan-archive/next-page';
import { exportEpic } from './exported.view';

type Input = ParsedOf<typeof exportGroupRecords>;
type Exported = OutputOf<typeof exportGroupRecords>;

/** Exports the records of a group page by page. */
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
        const page = await nextPage<LabelDocument>(this.labels.model, { owner }, input);
        return { labels: page.items.map(exportLabel), next_after_id: page.nextAfterId };
      }
      case 'milestones': {
        const page = await nextPage(this.milestones, { owner }, input);
        return { milestones: page.items.map(exportMilestone), next_after_id: page.nextAfterId };
      }
      case 'boards':
        return this.exportBoards(await nextPage(this.boards, { owner }, input));
      case 'epics':
        return this.exportEpics(await nextPage(this.epics, { groupId: input.group_id }, input), input);
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
      this.labels.findByIds(labelIds),
      this.milestones.find({ _id: { $in: milestoneIds } }).lean<MilestoneDocument[]>(),
    ]);
    const milestoneTitles = titlesOf(milestones);
    return {
      boards: items.map((board) => exportBoard(board, titlesOf(labels.values()), milestoneTitles)),
      next_after_id: nextAfterId,
    };
  }

  private async exportEpics({ items, nextAfterId }: Step<EpicDocument>, input: Input): Promise<Exported> {
    const [labels, parents] = await Promise.all([
      this.labels.findByIds(items.flatMap(({ labelIds }) => labelIds)),
      this.epics.find({ _id: { $in: items.flatMap(({ parentId }) => parentId ?? []) } }).lean<EpicDocument[]>(),
    ]);
    // A parent in an ancestor group is not part of the archive.
    const own = parents.filter(({ groupId }) => groupId === items[0]?.groupId);
    const parentIids = new Map(own.map(({ _id, iid }) => [_id, iid]));
    const epics: NonNullable<Exported['epics']> = [];
    let room = enoughBytes - items.reduce((sum, item) => sum + calculateObjectSize(item), 0);
    let after = input.after_id;
    let taken = { after_note_id: input.after_note_id, notes_before: input.notes_before };
    for (const epic of items) {
      if (room <= 0 && epics.length > 0) return { epics, next_after_id: after };
      const { notes, isWhole } = await this.readNotes(epic, taken.after_note_id, room);
      epics.push(exportEpic(epic, titlesOf(labels.values()), parentIids, notes, taken.notes_before));
      const last = notes.at(-1);
      if (!isWhole && last) {
        const after_note_id = last._id;
        const next_notes = { after_note_id, notes_before: taken.notes_before + notes.length };
        return { epics, next_after_id: after, next_notes };
      }
      room -= calculateObjectSize(notes);
      after = epic._id;
      taken = { after_note_id: 0, notes_before: 0 };
    }
    return { epics, next_after_id: nextAfterId };
  }

  /** Notes of an epic by id, at least one if there are any, up to the bytes that are left in the page. */
  private async readNotes({ _id }: EpicDocument, afterId: number, room: number) {
    const notes: NoteDocument[] = [];
    let bytes = 0;
    const cursor = this.notes
      .find({ noteableType: 'Epic', noteableId: _id, _id: { $gt: afterId } })
      .sort({ _id: 1 })
      .lean<NoteDocument>()
      .cursor();
    for await (const note of cursor) {
      bytes += calculateObjectSize(note);
      if (notes.length > 0 && bytes > room) return { notes, isWhole: false };
      notes.push(note as NoteDocument);
    }
    return { notes, isWhole: true };
  }
}
