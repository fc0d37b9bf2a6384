import type { listProjectIssues, ParsedOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Expression, Model, QueryFilter, SortOrder } from 'mongoose';
import type { LabelDocument, LabelPriority } from '../label/label.schema';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { IssueDocument } from './issue.schema';

type Filter = QueryFilter<IssueDocument>;

export type OrderBy = ParsedOf<typeof listProjectIssues>['order_by'];

type Fields = Record<string, SortOrder>;

/** By fields that an index holds, or by a rank worked out for each. */
type Way = { fields: Fields } | { rank: Expression; direction: 1 | -1 };

/** How to order issues: all in one way, or first those that match one filter, then those that match the next. */
export type Order = Way | { steps: Step[] };

/** Of two steps, no issue is in both. */
export type Step = { filter: Filter } & Way;

const newest = { fields: { createdAt: -1, _id: -1 } } as const;
/** With more priorities than that, each issue is ranked instead. */
const mostPriorities = 20;

/** Behind everything that has a rank. */
const last = Number.MAX_SAFE_INTEGER;

/**
 * What the orders of the interface mean. Most issues have no due date, no weight, no award and no label with a priority: they
 * come by age, and those that have one before or behind them, so that an index finds a page of either. Orders by rank look at every issue that
 * matches, and suit projects.
 */
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
        return givenFirst('dueDate', { $gt: '' }, direction);
      case 'weight':
        return givenFirst('weight', { $gte: 0 }, direction);
      case 'popularity': {
        // The first condition is that of the index.
        const liked = { 'awards.userId': { $gt: 0 }, 'awards.name': 'thumbsup' } as Filter;
        const others = { 'awards.name': { $ne: 'thumbsup' } } as Filter;
        const steps = [{ filter: liked, rank: countOf('thumbsup'), direction } as const, { filter: others, ...newest }];
        return { steps: direction === 1 ? steps.reverse() : steps };
      }
      case 'milestone_due':
        return { rank: await this.rankMilestones(filter, direction), direction };
      case 'label_priority':
        return (await this.stepsOfLabels(filter)) ?? { rank: await this.rankLabels(filter), direction: 1 };
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

  /** In one project, one priority after the other; undefined for several, or with many. */
  private async stepsOfLabels({ projectId }: Filter): Promise<Order | undefined> {
    if (typeof projectId !== 'number') return undefined;
    const own = await this.labels
      .find({ 'priorities.projectId': projectId }, { priorities: 1 })
      .lean<Pick<LabelDocument, '_id' | 'priorities'>[]>();
    const byPriority = new Map<number, number[]>();
    for (const { _id, priorities } of own) {
      for (const { priority } of priorities.filter((one) => one.projectId === projectId))
        byPriority.set(priority, [...(byPriority.get(priority) ?? []), _id]);
    }
    if (byPriority.size > mostPriorities) return undefined;
    const before: number[] = [];
    const steps: Step[] = [];
    for (const [, ids] of [...byPriority].sort(([one], [other]) => one - other)) {
      steps.push({ filter: { labelIds: { $in: ids, $nin: [...before] } }, ...newest });
      before.push(...ids);
    }
    return { steps: [...steps, { filter: { labelIds: { $nin: before } }, ...newest }] };
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

/** Those that have a value, by it, before those that have none. */
function givenFirst(field: 'dueDate' | 'weight', given: object, direction: 1 | -1): Order {
  const without = { filter: { [field]: null } as Filter, ...newest };
  return { steps: [{ filter: { [field]: given } as Filter, fields: { [field]: direction, _id: -1 } }, without] };
}

const countOf = (name: string): Expression =>
  ({
    $size: { $filter: { input: { $ifNull: ['$awards', []] }, as: 'award', cond: { $eq: ['$$award.name', name] } } },
  }) as unknown as Expression;
