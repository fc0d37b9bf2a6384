import type { listProjectIssues, ParsedOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Expression, Model, SortOrder } from 'mongoose';
import type { LabelDocument } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';

export type OrderBy = ParsedOf<typeof listProjectIssues>['order_by'];

/** How to order issues: by fields that an index holds, or by a rank worked out for each. */
export type Order = { fields: Record<string, SortOrder> } | { rank: Expression; direction: 1 | -1 };

/** Behind everything that has a rank. */
const last = Number.MAX_SAFE_INTEGER;

/** What the orders of the interface mean. Those by rank look at every issue that matches, and suit projects. */
@Injectable()
export class IssueOrder {
  constructor(
    @InjectModel('Label') private readonly labels: Model<LabelDocument>,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  async of(orderBy: OrderBy, sort: 'asc' | 'desc'): Promise<Order> {
    const direction = sort === 'asc' ? 1 : -1;
    switch (orderBy) {
      case 'created_at':
        return { fields: { createdAt: direction, _id: direction } };
      case 'updated_at':
        return { fields: { updatedAt: direction, _id: direction } };
      case 'relative_position':
        return { fields: { relativePosition: 1, _id: -1 } };
      case 'due_date':
        return { rank: { $ifNull: ['$dueDate', direction === 1 ? '9999' : ''] } as Expression, direction };
      case 'weight':
        return { rank: { $ifNull: ['$weight', direction === 1 ? last : -1] } as Expression, direction };
      case 'popularity':
        return { rank: countOf('thumbsup'), direction };
      case 'milestone_due':
        return { rank: await this.milestoneRank(direction), direction };
      case 'label_priority':
        return { rank: await this.labelRank(), direction: 1 };
      case 'priority': {
        const [milestone, label] = await Promise.all([this.milestoneRank(1), this.labelRank()]);
        return { rank: { milestone, label } as unknown as Expression, direction: 1 };
      }
    }
  }

  /** Place of an issue's milestone among all, by due date. */
  private async milestoneRank(direction: 1 | -1): Promise<Expression> {
    const due = await this.milestones
      .find({ dueDate: { $type: 'string' } }, { _id: 1 })
      .sort({ dueOrder: 1, _id: 1 })
      .lean<{ _id: number }[]>();
    const place = { $indexOfArray: [due.map(({ _id }) => _id), '$milestoneId'] };
    return { $cond: [{ $lt: [place, 0] }, direction === 1 ? last : -1, place] } as unknown as Expression;
  }

  /** The most urgent priority among an issue's labels. */
  private async labelRank(): Promise<Expression> {
    const prioritized = await this.labels
      .find({ 'priorities.projectId': { $gt: 0 } }, { priorities: 1 })
      .lean<Pick<LabelDocument, '_id' | 'priorities'>[]>();
    const byPriority = new Map<number, number[]>();
    for (const { _id, priorities } of prioritized) {
      const priority = Math.min(...priorities.map((entry) => entry.priority));
      byPriority.set(priority, [...(byPriority.get(priority) ?? []), _id]);
    }
    if (byPriority.size === 0) return { $literal: last } as Expression;
    const branches = [...byPriority]
      .sort(([a], [b]) => a - b)
      .map(([priority, ids]) => ({
        case: { $gt: [{ $size: { $setIntersection: ['$labelIds', ids] } }, 0] },
        // biome-ignore lint/suspicious/noThenProperty: the operator calls it so
        then: priority,
      }));
    return { $switch: { branches, default: last } } as unknown as Expression;
  }
}

const countOf = (name: string): Expression =>
  ({
    $size: { $filter: { input: { $ifNull: ['$awards', []] }, as: 'award', cond: { $eq: ['$$award.name', name] } } },
  }) as unknown as Expression;
