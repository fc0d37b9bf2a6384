import { type ExportedBoard, type ExportedLabel, type ExportedMilestone, present } from '@moothall/contracts';
import { Counters, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { z } from 'zod';
import type { BoardDocument } from '../board/board.schema';
import { Labels } from '../label/label.repository';
import { parseColor } from '../label/label-color';
import { afterAllDays, type MilestoneDocument } from '../milestone/milestone.schema';
import type { OwnerKey } from '../parent/owner';

/** Ids of labels and milestones by title, of a project or group and those above it. */
export type Ids = ReadonlyMap<string, number>;

/** Imports labels, milestones and boards of an archive into a project or group. Existing ones stay unchanged. */
@Injectable()
export class TakePlan {
  constructor(
    private readonly labels: Labels,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
    @InjectModel('Board') private readonly boards: Model<BoardDocument>,
    private readonly counters: Counters,
    private readonly ids: RecordIds,
  ) {}

  /** @param known owners whose label of that name is used instead */
  async takeLabel(owner: OwnerKey, known: OwnerKey[], { title, color, description }: z.infer<typeof ExportedLabel>) {
    if (await this.labels.model.exists({ owner: { $in: known }, title })) return false;
    await this.labels.add({ owner, title, color: parseColor(color), description });
    return true;
  }

  /** @param known owners whose milestone of that title is used instead */
  async takeMilestone(owner: OwnerKey, known: OwnerKey[], milestone: z.infer<typeof ExportedMilestone>) {
    await this.counters.atLeast(`milestones/${owner}`, milestone.iid);
    if (await this.milestones.exists({ owner: { $in: known }, title: milestone.title })) return false;
    await this.milestones.create({
      _id: await this.counters.next('milestones'),
      owner,
      iid: milestone.iid,
      title: milestone.title,
      description: milestone.description,
      state: milestone.state,
      startDate: milestone.start_date,
      dueDate: milestone.due_date,
      dueOrder: milestone.due_date ?? afterAllDays,
      createdAt: new Date(milestone.created_at),
      updatedAt: new Date(milestone.updated_at),
    });
    return true;
  }

  async takeBoard(owner: OwnerKey, owners: OwnerKey[], board: z.infer<typeof ExportedBoard>) {
    if (await this.boards.exists({ owner, name: board.name })) return false;
    const labels = await this.findLabelIds(owners, [
      ...board.label_titles,
      ...board.lists.flatMap(({ label_title }) => label_title ?? []),
    ]);
    const milestones = await this.findMilestoneIds(
      owners,
      [board, ...board.lists].flatMap(({ milestone_title }) => milestone_title ?? []),
    );
    const listIds = await this.ids.take('board_lists', board.lists.length);
    await this.boards.create({
      _id: await this.counters.next('boards'),
      owner,
      name: board.name,
      milestoneId: idOf(board.milestone_title, milestones),
      labelIds: board.label_titles.flatMap((title) => labels.get(title) ?? []),
      lists: board.lists.map((list, at) => ({
        id: present(listIds[at], 'the id of a list'),
        listType: list.list_type,
        labelId: idOf(list.label_title, labels),
        milestoneId: idOf(list.milestone_title, milestones),
        position: list.position,
      })),
    });
    return true;
  }

  async findLabelIds(owners: OwnerKey[], titles: string[]): Promise<Ids> {
    const found = await this.labels.findNamed([...new Set(titles)], owners);
    return new Map(found.map(({ title, _id }) => [title, _id]));
  }

  async findMilestoneIds(owners: OwnerKey[], titles: string[]): Promise<Ids> {
    if (titles.length === 0) return new Map();
    const filter = { owner: { $in: owners }, title: { $in: titles } };
    const found = await this.milestones.find(filter).lean<MilestoneDocument[]>();
    return new Map(found.map(({ title, _id }) => [title, _id]));
  }
}

export const idOf = (title: string | null, ids: Ids): number | null =>
  title === null ? null : (ids.get(title) ?? null);
