import { type ContextOf, type ParsedOf, searchUsers } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { UserViews } from '../user.view';
import { activePeople } from '../user-filter';
import { UserList } from '../user-list';

/** Users by name or address: active ones; for administrators all. See docs/api/search.md#4. */
@Controller()
export class SearchUsers {
  constructor(
    private readonly list: UserList,
    private readonly views: UserViews,
  ) {}

  @Handles(searchUsers)
  async handle(
    { caller }: ContextOf<typeof searchUsers>,
    { search: given, page, per_page }: ParsedOf<typeof searchUsers>,
  ) {
    const search = given.trim();
    const matching = await this.list.matching(search, caller.isAdmin);
    const filter = caller.isAdmin ? matching : { $and: [matching, activePeople] };
    const { items, total } = await this.list.page(filter, { order_by: 'id', sort: 'desc' }, { search, page, per_page });
    return { items: items.map((user) => this.views.summary(user)), total };
  }
}
