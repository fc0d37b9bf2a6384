import {
  type ContextOf,
  type ParsedOf,
  searchGroupMergeRequests,
  searchMergeRequests,
  searchProjectMergeRequests,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { searchedWords } from '../../issuable/searched-words';
import { MergeRequestList, type MergeRequestListInput } from './merge-request-list';

type Input = Omit<ParsedOf<typeof searchProjectMergeRequests>, 'id'>;

/** Searches merge requests that lists would show. See docs/api/search.md#5. */
@Controller()
export class SearchMergeRequests {
  constructor(private readonly pages: MergeRequestList) {}

  @Handles(searchMergeRequests)
  async everywhere({ caller }: ContextOf<typeof searchMergeRequests>, input: ParsedOf<typeof searchMergeRequests>) {
    return this.pages.across(caller, listInputOf(input), input.include_archived);
  }

  @Handles(searchGroupMergeRequests)
  async inGroup(
    { group, caller }: ContextOf<typeof searchGroupMergeRequests>,
    input: ParsedOf<typeof searchGroupMergeRequests>,
  ) {
    return this.pages.across(caller, listInputOf(input), input.include_archived, group.id);
  }

  @Handles(searchProjectMergeRequests)
  async inProject(
    { project, caller }: ContextOf<typeof searchProjectMergeRequests>,
    input: ParsedOf<typeof searchProjectMergeRequests>,
  ) {
    return this.pages.ofProject(project, listInputOf(input), caller);
  }
}

const listInputOf = ({ search, fields, state, order_by, sort, page, per_page }: Input): MergeRequestListInput => ({
  scope: 'all',
  ...searchedWords(search, '!'),
  in: fields,
  ...{ state, order_by, sort, page, per_page },
  with_labels_details: false,
});
