import {
  type ContextOf,
  commonErrors,
  type Issue,
  listGroupIssues,
  listIssues,
  listProjectIssues,
  type Page,
  type ParsedOf,
  type ProjectRef,
  window,
} from '@moothall/contracts';
import { countUpTo, findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { IssueOrder, type Order } from './issue-order';
import { IssueScope } from './issue-scope';
import { IssueViews } from './issue-views';

type ListInput = Pick<
  ParsedOf<typeof listProjectIssues>,
  'state' | 'order_by' | 'sort' | 'page' | 'per_page' | 'with_labels_details'
>;
type Filter = QueryFilter<IssueDocument>;

/** Issues of a project, of a group, or of everything the caller reads. */
@Controller()
export class ListIssues {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly scope: IssueScope,
    private readonly order: IssueOrder,
    private readonly views: IssueViews,
  ) {}

  @Handles(listProjectIssues)
  async ofProject({ project, caller }: ContextOf<typeof listProjectIssues>, input: ParsedOf<typeof listProjectIssues>) {
    return this.list(await this.scope.inProject(project, caller, input), input, project);
  }

  @Handles(listGroupIssues)
  async ofGroup({ group, caller }: ContextOf<typeof listGroupIssues>, input: ParsedOf<typeof listGroupIssues>) {
    return this.list(await this.scope.inGroup(group, caller, input, !input.non_archived), input);
  }

  @Handles(listIssues)
  async ofEverything({ caller }: ContextOf<typeof listIssues>, input: ParsedOf<typeof listIssues>) {
    // Nobody is no author and no assignee. Source: clarifications C.4.
    if (!caller && input.scope !== 'all') throw commonErrors.unauthorized();
    return this.list(await this.scope.anywhere(caller, input, !input.non_archived), input);
  }

  private async list(narrowed: Filter, input: ListInput, project?: ProjectRef): Promise<Page<Issue>> {
    const filter = input.state === 'all' ? narrowed : { ...narrowed, state: input.state };
    const order = await this.order.of(input.order_by, input.sort);
    const page = await this.page(filter, order, input);
    const options = { withLabelDetails: input.with_labels_details };
    return { ...page, items: await this.views.view(page.items, project, options) };
  }

  private async page(filter: Filter, order: Order, input: ListInput): Promise<Page<IssueDocument>> {
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
