import {
  type Caller,
  type ContextOf,
  forbidden,
  listUsers,
  type Page,
  type ParsedOf,
  type ResultOf,
  usersWithProjects,
  window,
} from '@moothall/contracts';
import { Handles, KnownSettings, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import type { User } from '../user.schema';
import { UserViews } from '../user.view';
import { filterOf } from '../user-filter';
import { type ListOrder, UserList } from '../user-list';

type Input = ParsedOf<typeof listUsers>;

const newestFirst: ListOrder = { order_by: 'id', sort: 'desc' };

@Controller()
export class ListUsers {
  constructor(
    private readonly list: UserList,
    private readonly views: UserViews,
    private readonly operations: OperationClient,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(listUsers)
  async handle({ caller }: ContextOf<typeof listUsers>, input: Input): Promise<ResultOf<typeof listUsers>> {
    requireAllowed(caller, input);
    if (!caller && (await this.instance.read()).restricted_visibility_levels.includes('public')) throw forbidden();
    const order = caller?.isAdmin ? { order_by: input.order_by, sort: input.sort } : newestFirst;
    const searched = input.search ? await this.list.matching(input.search, caller?.isAdmin ?? false) : undefined;
    const filter = filterOf(caller, input, searched);
    const { items, total } =
      input.without_projects && caller?.isAdmin
        ? await this.withoutProjects(filter, order, input)
        : await this.list.page(filter, order, input);
    return {
      items: items.map((user) =>
        caller?.isAdmin ? this.views.for(caller, user, input.with_custom_attributes) : this.views.summary(user),
      ),
      total,
    };
  }

  /** Only the projects service knows which users have projects: users are read in order until the page is full. */
  private async withoutProjects(filter: QueryFilter<User>, order: ListOrder, input: Input): Promise<Page<User>> {
    const { skip, limit } = window(input);
    const found: User[] = [];
    for await (const users of this.list.batches(filter, order)) {
      const user_ids = users.map((user) => user._id);
      const busy = new Set(await this.operations.call(usersWithProjects, { user_ids }));
      found.push(...users.filter((user) => !busy.has(user._id)));
      // One more than the page shows whether there is another one; the total is not counted.
      if (found.length > skip + limit) return { items: found.slice(skip, skip + limit) };
    }
    return { items: found.slice(skip, skip + limit), total: found.length };
  }
}

/** Without a credential users can be looked up, but not listed. See docs/api/users.md#2. */
function requireAllowed(caller: Caller | undefined, input: Input): void {
  const isLookUp = input.username !== undefined && input.username !== '';
  const asksForIdentity = input.extern_uid !== undefined && !caller?.isAdmin;
  if ((!caller && !isLookUp) || asksForIdentity) throw forbidden('Not authorized to access /api/v4/users');
}
