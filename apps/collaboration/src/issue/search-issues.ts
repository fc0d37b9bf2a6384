import {
  type ContextOf,
  type ParsedOf,
  type ProjectRef,
  searchGroupIssues,
  searchIssues,
  searchProjectIssues,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { searchedWords } from '../issuable/searched-words';
import type { IssueDocument } from './issue.schema';
import { IssueList } from './issue-list';
import { type IssueQuery, IssueScope } from './issue-scope';

type Input = Omit<ParsedOf<typeof searchProjectIssues>, 'id'>;

/** Searches issues that lists would show. See docs/api/search.md#5. */
@Controller()
export class SearchIssues {
  constructor(
    private readonly issues: IssueList,
    private readonly scope: IssueScope,
  ) {}

  @Handles(searchIssues)
  async everywhere({ caller }: ContextOf<typeof searchIssues>, input: ParsedOf<typeof searchIssues>) {
    return this.list(await this.scope.narrowToReadable(caller, queryOf(input), input.include_archived), input);
  }

  @Handles(searchGroupIssues)
  async inGroup({ group, caller }: ContextOf<typeof searchGroupIssues>, input: ParsedOf<typeof searchGroupIssues>) {
    return this.list(await this.scope.narrowToGroup(group, caller, queryOf(input), input.include_archived), input);
  }

  @Handles(searchProjectIssues)
  async inProject(
    { project, caller }: ContextOf<typeof searchProjectIssues>,
    input: ParsedOf<typeof searchProjectIssues>,
  ) {
    return this.list(await this.scope.narrowToProject(project, caller, queryOf(input)), input, project);
  }

  private list(narrowed: QueryFilter<IssueDocument>, input: Input, project?: ProjectRef) {
    const { state } = input;
    const isOfIssues = state === 'opened' || state === 'closed';
    return this.issues.page(isOfIssues ? { ...narrowed, state } : narrowed, input, project);
  }
}

const queryOf = ({ search, fields, confidential }: Input): IssueQuery => ({
  scope: 'all',
  ...searchedWords(search, '#'),
  in: fields,
  confidential,
});
