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

/** Sorted by indexed fields, or by a computed rank. */
type Way = { fields: Fields } | { rank: Expression; direction: 1 | -1 };

/** The order of issues: one sort for all, or steps with a filter each. */
export type Order = Way | { steps: Step[] };

/** Filters of two steps never match the same issue. */
export type Step = { filter: Filter } & Way;

/** The order in which people arrange issues on boards. */
export const byPosition = { relativePosition: 1, _id: -1 } as const;
const newest = { fields: { createdAt: -1, _id: -1 } } as const;
/** With more priorities than this, a rank is computed for each issue instead. */
const mostPriorities = 20;

/** After everything that has a rank. */
const last = Number.MAX_SAFE_INTEGER;

/**
 * Implements the orders of the API. Most issues have no due date, no weight, no award and no label with a priority:
 * these are sorted by age, after or before those that have one, so that an index serves a page of either part. Orders
 * by rank read every matching issue and suit single projects.
 */
@Injectable()
export class IssueOrder {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('Label') private readonly labels: Model<LabelDocument>,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  /** @param filter the issues to sort: only their labels and milestones are read */
  async resolve(orderBy: OrderBy, sort: 'asc' | 'desc', filter: Filter): Promise<Order> {
    const direction = sort === 'asc' ? 1 : -1;
    switch (orderBy) {
      case 'created_at':
        return { fields: { createdAt: direction, _id: direction } };
      case 'updated_at':
        return { fields: { updatedAt: direction, _id: direction } };
      case 'relative_position':
        return { fields: byPosition };
      case 'due_date':
        return givenFirst('dueDate', { $gt: '' }, direction);
      case 'weight':
        return givenFirst('weight', { $gte: 0 }, direction);
      case 'popularity': {
        // The first condition matches the index.
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

  /** Rank of an issue's milestone by due date. */
  private async rankMilestones(filter: Filter, direction: 1 | -1): Promise<Expression> {
    const borne = await this.issues.distinct('milestoneId', filter);
    const due = await this.milestones
      .find({ _id: { $in: borne.filter((id) => id !== null) }, dueDate: { $type: 'string' } }, { _id: 1 })
      .sort({ dueOrder: 1, _id: 1 })
      .lean<{ _id: number }[]>();
    const rank = { $indexOfArray: [due.map(({ _id }) => _id), '$milestoneId'] };
    return { $cond: [{ $lt: [rank, 0] }, direction === 1 ? last : -1, rank] } as unknown as Expression;
  }

  /** In one project, one step per priority; undefined for several projects, or with many priorities. */
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

  /** The highest priority among an issue's labels in its project. */
  private async rankLabels(filter: Filter): Promise<Expression> {
    const [borne, projects] = await Promise.all([
      this.issues.distinct('labelIds', filter),
      this.issues.distinct('projectId', filter),
    ]);
    const here = { 'priorities.projectId': { $in: projects } };
    // A group label may have a priority in thousands of projects.
    const own = await this.labels.aggregate<{ _id: number; priorities: LabelPriority }>([
      { $match: { _id: { $in: borne }, ...here } },
      { $unwind: '$priorities' },
      { $match: here },
      { $project: { priorities: 1 } },
    ]);
    // The database builds a hash table once for a constant list.
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

/** Issues with a value, by value, before those without. */
function givenFirst(field: 'dueDate' | 'weight', given: object, direction: 1 | -1): Order {
  const without = { filter: { [field]: null } as Filter, ...newest };
  return { steps: [{ filter: { [field]: given } as Filter, fields: { [field]: direction, _id: -1 } }, without] };
}

const countOf = (name: string): Expression =>
  ({
    $size: { $filter: { input: { $ifNull: ['$awards', []] }, as: 'award', cond: { $eq: ['$$award.name', name] } } },
  }) as unknown as Expression;
