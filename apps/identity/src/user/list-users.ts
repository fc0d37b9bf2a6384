import {
  type Caller,
  type ContextOf,
  forbidden,
  listUsers,
  type Page,
  type ParsedOf,
  type ResultOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { UserViews } from './user.view';
import { filterOf } from './user-filter';
import { type ListOrder, UserList } from './user-list';

type Input = ParsedOf<typeof listUsers>;

const newestFirst: ListOrder = { order_by: 'id', sort: 'desc' };

@Controller()
export class ListUsers {
  constructor(
    private readonly list: UserList,
    private readonly views: UserViews,
  ) {}

  @Handles(listUsers)
  async handle({ caller }: ContextOf<typeof listUsers>, input: Input): Promise<ResultOf<typeof listUsers>> {
    requireAllowed(caller, input);
    const order = caller?.isAdmin ? { order_by: input.order_by, sort: input.sort } : newestFirst;
    const { items, total }: Page<Parameters<UserViews['summary']>[0]> = await this.list.page(
      filterOf(caller, input),
      order,
      input,
    );
    return {
      items: items.map((user) =>
        caller?.isAdmin ? this.views.for(caller, user, input.with_custom_attributes) : this.views.summary(user),
      ),
      total,
    };
  }
}

/** Without a credential users can be looked up, not listed. Source: clarifications B.8. */
function requireAllowed(caller: Caller | undefined, input: Input): void {
  const isLookUp = input.username !== undefined && input.username !== '';
  const asksForIdentity = input.extern_uid !== undefined && !caller?.isAdmin;
  if ((!caller && !isLookUp) || asksForIdentity) throw forbidden('Not authorized to access /api/v4/users');
}
