import {
  type ContextOf,
  commonErrors,
  type Issue,
  listGroupIssueCards,
  listGroupIssues,
  listIssues,
  listIssuesOfMilestones,
  listProjectIssueCards,
  listProjectIssues,
  type Page,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { IssueList, type IssueListInput } from './issue-list';
import { IssueScope } from './issue-scope';

type ListInput = IssueListInput & { state: 'opened' | 'closed' | 'all' };

/** Lists issues of a project, of a group, or of everything that the caller may read. */
@Controller()
export class ListIssues {
  constructor(
    private readonly issues: IssueList,
    private readonly scope: IssueScope,
  ) {}

  @Handles(listProjectIssues)
  async listOfProject(
    { project, caller }: ContextOf<typeof listProjectIssues>,
    input: ParsedOf<typeof listProjectIssues>,
  ) {
    return this.list(await this.scope.narrowToProject(project, caller, input), input, project);
  }

  @Handles(listIssuesOfMilestones)
  async listOfMilestones(
    { project, caller }: ContextOf<typeof listIssuesOfMilestones>,
    input: ParsedOf<typeof listIssuesOfMilestones>,
  ) {
    return this.list(await this.scope.narrowToProject(project, caller, input), input, project);
  }

  @Handles(listGroupIssues)
  async listOfGroup({ group, caller }: ContextOf<typeof listGroupIssues>, input: ParsedOf<typeof listGroupIssues>) {
    return this.list(await this.scope.narrowToGroup(group, caller, input, !input.non_archived), input);
  }

  @Handles(listProjectIssueCards)
  async listCardsOfProject(
    { project, caller }: ContextOf<typeof listProjectIssueCards>,
    input: ParsedOf<typeof listProjectIssueCards>,
  ) {
    const narrowed = await this.scope.narrowToProject(project, caller, input);
    return this.issues.cards(inState(narrowed, input), input, project);
  }

  @Handles(listGroupIssueCards)
  async listCardsOfGroup(
    { group, caller }: ContextOf<typeof listGroupIssueCards>,
    input: ParsedOf<typeof listGroupIssueCards>,
  ) {
    return this.issues.cards(inState(await this.scope.narrowToGroup(group, caller, input), input), input);
  }

  @Handles(listIssues)
  async listAll({ caller }: ContextOf<typeof listIssues>, input: ParsedOf<typeof listIssues>) {
    // An anonymous caller is neither author nor assignee. See docs/api/issues.md#4.
    if (!caller && input.scope !== 'all') throw commonErrors.unauthorized();
    return this.list(await this.scope.narrowToReadable(caller, input, !input.non_archived), input);
  }

  private list(narrowed: QueryFilter<IssueDocument>, input: ListInput, project?: ProjectRef): Promise<Page<Issue>> {
    return this.issues.page(inState(narrowed, input), input, project);
  }
}

const inState = (narrowed: QueryFilter<IssueDocument>, { state }: Pick<ListInput, 'state'>) =>
  state === 'all' ? narrowed : { ...narrowed, state };
