import {
  type ContextOf,
  getGroupIssuesStatistics,
  getIssuesStatistics,
  getProjectIssuesStatistics,
  type IssueStatistics,
  type ParsedOf,
} from '@moothall/contracts';
import { collectionOf, countByDifference, matchesNothing } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { IssueScope } from './issue-scope';

/** Counts issues by state. See docs/api/issues.md#6. */
@Controller()
export class IssueStatisticsOperations {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly scope: IssueScope,
  ) {}

  @Handles(getIssuesStatistics)
  async countAll({ caller }: ContextOf<typeof getIssuesStatistics>, input: ParsedOf<typeof getIssuesStatistics>) {
    return this.count(await this.scope.narrowToReadable(caller, input));
  }

  @Handles(getGroupIssuesStatistics)
  async countOfGroup(
    { group, caller }: ContextOf<typeof getGroupIssuesStatistics>,
    input: ParsedOf<typeof getGroupIssuesStatistics>,
  ) {
    return this.count(await this.scope.narrowToGroup(group, caller, input));
  }

  @Handles(getProjectIssuesStatistics)
  async countOfProject(
    { project, caller }: ContextOf<typeof getProjectIssuesStatistics>,
    input: ParsedOf<typeof getProjectIssuesStatistics>,
  ) {
    return this.count(await this.scope.narrowToProject(project, caller, input));
  }

  /** Two counts that indexes answer alone; grouping by state would read every document. */
  private async count(filter: QueryFilter<IssueDocument>): Promise<IssueStatistics> {
    const [opened, closed] = await Promise.all([
      this.countOfState('opened', filter),
      this.countOfState('closed', filter),
    ]);
    return { statistics: { counts: { all: opened + closed, closed, opened } } };
  }

  private async countOfState(state: IssueDocument['state'], filter: QueryFilter<IssueDocument>): Promise<number> {
    return matchesNothing(filter) ? 0 : countByDifference(collectionOf(this.issues), { ...filter, state });
  }
}
