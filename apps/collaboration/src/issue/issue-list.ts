import { type Issue, type IssueCard, type Page, type ProjectRef, window } from '@moothall/contracts';
import { countUpTo, findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { byPosition, IssueOrder, type Order, type OrderBy, type Step } from './issue-order';
import { IssueViews } from './issue-views';

interface Paging {
  page: number;
  per_page: number;
}

export interface IssueListInput extends Paging {
  order_by: OrderBy;
  sort: 'asc' | 'desc';
  with_labels_details?: boolean;
}

type Filter = QueryFilter<IssueDocument>;

/** Pages of issues, shown. */
@Injectable()
export class IssueList {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly order: IssueOrder,
    private readonly views: IssueViews,
  ) {}

  /** @param project the project of all issues, if known */
  async page(filter: Filter, input: IssueListInput, project?: ProjectRef): Promise<Page<Issue>> {
    const page = await this.find(filter, await this.order.resolve(input.order_by, input.sort, filter), input);
    const options = { withLabelDetails: input.with_labels_details };
    return { ...page, items: await this.views.view(page.items, project, options) };
  }

  /** Issues of a column of a board. They are read without their descriptions, which may be large. */
  async cards(filter: Filter, input: Paging, project?: ProjectRef): Promise<Page<IssueCard>> {
    const options = { isLong: true, projection: { iid: 1, title: 1, projectId: 1 } } as const;
    const page = await findPage(this.issues, filter, byPosition, input, options);
    return { ...page, items: await this.views.viewCards(page.items, project) };
  }

  private async find(filter: Filter, order: Order, input: IssueListInput): Promise<Page<IssueDocument>> {
    if ('fields' in order) return findPage(this.issues, filter, order.fields, input, { isLong: true });
    const { skip, limit } = window(input);
    const steps = 'steps' in order ? order.steps : [{ filter: {}, ...order }];
    const [items, total] = await Promise.all([this.findIn(filter, steps, skip, limit), countUpTo(this.issues, filter)]);
    return { items, total };
  }

  /** Reads one step after the other until the page is full. */
  private async findIn(filter: Filter, steps: Step[], skip: number, limit: number): Promise<IssueDocument[]> {
    const items: IssueDocument[] = [];
    let toSkip = skip;
    for (const [at, step] of steps.entries()) {
      const within = { $and: [filter, step.filter] };
      const found = await this.findWithin(within, step, toSkip, limit - items.length);
      items.push(...found);
      if (items.length === limit || at === steps.length - 1) break;
      // If a step returned issues, the number it skipped is known.
      const passed = found.length > 0 || toSkip === 0 ? toSkip : await this.issues.countDocuments(within);
      toSkip -= passed;
    }
    return items;
  }

  private findWithin(within: Filter, step: Step, skip: number, limit: number): Promise<IssueDocument[]> {
    if ('fields' in step)
      return this.issues.find(within).sort(step.fields).skip(skip).limit(limit).lean<IssueDocument[]>();
    return this.issues.aggregate<IssueDocument>([
      { $match: within as PipelineStage.Match['$match'] },
      { $addFields: { rank: step.rank } },
      { $sort: { rank: step.direction, _id: -1 } },
      { $skip: skip },
      { $limit: limit },
    ]);
  }
}
