import type { listProjectIssues, ParsedOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Expression, Model, QueryFilter, SortOrder } from 'mongoose';
import type { LabelDocument, LabelPriority } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { IssueDocument } from './issue.schema';

type Filter = QueryFilter<IssueDocument>;

export type OrderBy = ParsedOf<typeof listProjectIssues>['order_by'];

/** How to order issues: by fields that an index holds, or by a rank worked out for each. */
export type Order = { fields: Record<string, SortOrder> } | { rank: Expression; direction: 1 | -1 };

/** Behind everything that has a rank. */
const last = Number.MAX_SAFE_INTEGER;

/** What the orders of the interface mean. Those by rank look at every issue that matches, and suit projects. */
@Injectable()
export class IssueOrder {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('Label') private readonly labels: Model<LabelDocument>,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  /** @param filter which issues are put in order: their labels and milestones alone are looked at */
  async resolve(orderBy: OrderBy, sort: 'asc' | 'desc', filter: Filter): Promise<Order> {
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
        return { rank: await this.rankMilestones(filter, direction), direction };
      case 'label_priority':
        return { rank: await this.rankLabels(filter), direction: 1 };
      case 'priority': {
        const [milestone, label] = await Promise.all([this.rankMilestones(filter, 1), this.rankLabels(filter)]);
        return { rank: { milestone, label } as unknown as Expression, direction: 1 };
      }
    }
  }

  /** Rank of an issue's milestone among those of all, by due date. */
  private async rankMilestones(filter: Filter, direction: 1 | -1): Promise<Expression> {
    const borne = await this.issues.distinct('milestoneId', filter);
    const due = await this.milestones
      .find({ _id: { $in: borne.filter((id) => id !== null) }, dueDate: { $type: 'string' } }, { _id: 1 })
      .sort({ dueOrder: 1, _id: 1 })
      .lean<{ _id: number }[]>();
    const rank = { $indexOfArray: [due.map(({ _id }) => _id), '$milestoneId'] };
    return { $cond: [{ $lt: [rank, 0] }, direction === 1 ? last : -1, rank] } as unknown as Expression;
  }

  /** The most urgent priority among an issue's labels, as its project has set it. */
  private async rankLabels(filter: Filter): Promise<Expression> {
    const [borne, projects] = await Promise.all([
      this.issues.distinct('labelIds', filter),
      this.issues.distinct('projectId', filter),
    ]);
    const here = { 'priorities.projectId': { $in: projects } };
    // A group's label may have a priority in each of thousands of projects.
    const own = await this.labels.aggregate<{ _id: number; priorities: LabelPriority }>([
      { $match: { _id: { $in: borne }, ...here } },
      { $unwind: '$priorities' },
      { $match: here },
      { $project: { priorities: 1 } },
    ]);
    // The database looks up a place in a list that is the same for all by a table that it makes once.
    const labels = { $literal: own.map(({ _id, priorities }) => [priorities.projectId, _id]) };
    const ranks = { $literal: own.map(({ priorities }) => priorities.priority) };
    const rank = {
      $let: {
        vars: { at: { $indexOfArray: [labels, ['$projectId', '$$this']] } },
        in: { $cond: [{ $lt: ['$$at', 0] }, last, { $arrayElemAt: [ranks, '$$at'] }] },
      },
    };
    const most = { $min: { $map: { input: '$labelIds', in: rank } } };
    return { $ifNull: [most, last] } as unknown as Expression;
  }
}

const countOf = (name: string): Expression =>
  ({
    $size: { $filter: { input: { $ifNull: ['$awards', []] }, as: 'award', cond: { $eq: ['$$award.name', name] } } },
  }) as unknown as Expression;
