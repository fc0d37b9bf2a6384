import { type Issue, type Page, type ProjectRef, window } from '@moothall/contracts';
import { countUpTo, findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { IssueOrder, type Order, type OrderBy } from './issue-order';
import { IssueViews } from './issue-views';

export interface IssueListInput {
  page: number;
  per_page: number;
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

  /** @param project where all of them are, if known */
  async page(filter: Filter, input: IssueListInput, project?: ProjectRef): Promise<Page<Issue>> {
    const page = await this.find(filter, await this.order.resolve(input.order_by, input.sort, filter), input);
    const options = { withLabelDetails: input.with_labels_details };
    return { ...page, items: await this.views.view(page.items, project, options) };
  }

  private async find(filter: Filter, order: Order, input: IssueListInput): Promise<Page<IssueDocument>> {
    if ('fields' in order) return findPage(this.issues, filter, order.fields, input);
    const { skip, limit } = window(input);
    const stages: PipelineStage[] = [
      { $match: filter as PipelineStage.Match['$match'] },
      { $addFields: { rank: order.rank } },
      { $sort: { rank: order.direction, _id: -1 } },
      { $skip: skip },
      { $limit: limit },
    ];
    const [items, total] = await Promise.all([
      this.issues.aggregate<IssueDocument>(stages),
      countUpTo(this.issues, filter),
    ]);
    return { items, total };
  }
}
