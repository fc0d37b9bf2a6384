import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { EpicReferences } from './epic-references';

/** Dates that an epic inherits from the milestones of its issues. */
export interface InheritedDates {
  start: string | null;
  due: string | null;
}

/**
 * Computes the dates of epics that are not fixed: the earliest start and the latest end among their issues' milestones.
 */
@Injectable()
export class EpicDates {
  constructor(
    private readonly references: EpicReferences,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  async findInherited(epicIds: number[]): Promise<Map<number, InheritedDates>> {
    const taken = await this.references.listMilestones(epicIds);
    const ids = [...new Set(taken.map(({ milestoneId }) => milestoneId))];
    if (ids.length === 0) return new Map();
    const found = await this.milestones.find({ _id: { $in: ids } }).lean<MilestoneDocument[]>();
    const byId = new Map(found.map((milestone) => [milestone._id, milestone]));
    const dates = new Map<number, InheritedDates>();
    for (const { epicId, milestoneId } of taken) {
      const milestone = byId.get(milestoneId);
      const { start, due } = dates.get(epicId) ?? { start: null, due: null };
      dates.set(epicId, {
        start: inOrder(start, milestone?.startDate)[0] ?? null,
        due: inOrder(due, milestone?.dueDate).at(-1) ?? null,
      });
    }
    return dates;
  }
}

/** The known dates, earliest first. */
const inOrder = (...days: (string | null | undefined)[]): string[] =>
  days.filter((day): day is string => Boolean(day)).sort();
