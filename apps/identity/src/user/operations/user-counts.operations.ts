import {
  type Caller,
  type ContextOf,
  countAssociations,
  forbidden,
  getAvatarOfEmail,
  getUserCounts,
  listActivities,
  listIssues,
  listMemberships,
  listMergeRequests,
  listTodos,
  type Operation,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user.repository';
import { UserViews } from '../user.view';

/** Limit of counted items in lists. */
const mostCounted = 10_000;
const one = { page: 1, per_page: 1 };
const monthsBack = 6;

/** Counts of a user's records for lists of other services. See docs/api/users.md#10. */
@Controller()
export class UserCounts {
  constructor(
    private readonly users: Users,
    private readonly views: UserViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(getUserCounts)
  async get({ caller }: ContextOf<typeof getUserCounts>) {
    const opened = { ...one, state: 'opened' } as const;
    const [assigned_issues, assigned_merge_requests, review_requested_merge_requests, todos] = await Promise.all([
      this.count(caller, listIssues, { ...opened, scope: 'assigned_to_me' }),
      this.count(caller, listMergeRequests, { ...opened, scope: 'assigned_to_me' }),
      this.count(caller, listMergeRequests, { ...opened, scope: 'all', reviewer_id: String(caller.id) }),
      this.count(caller, listTodos, { ...one, state: 'pending' }),
    ]);
    return {
      merge_requests: assigned_merge_requests,
      assigned_issues,
      assigned_merge_requests,
      review_requested_merge_requests,
      todos,
    };
  }

  @Handles(countAssociations)
  async associations({ caller }: ContextOf<typeof countAssociations>, { id }: ParsedOf<typeof countAssociations>) {
    if (!caller.isAdmin && caller.id !== id) throw forbidden();
    const user = await this.users.get(id);
    const written = { ...one, scope: 'all', author_id: user._id } as const;
    const [groups_count, projects_count, issues_count, merge_requests_count] = await Promise.all([
      this.count(caller, listMemberships, { ...one, id, type: 'Namespace' }),
      this.count(caller, listMemberships, { ...one, id, type: 'Project' }),
      this.count(caller, listIssues, { ...written, non_archived: false }),
      this.count(caller, listMergeRequests, { ...written, non_archived: false }),
    ]);
    return { groups_count, projects_count, issues_count, merge_requests_count };
  }

  @Handles(listActivities)
  async activities(_context: ContextOf<typeof listActivities>, input: ParsedOf<typeof listActivities>) {
    const page = await this.users.pageOfActive(input.from ?? sixMonthsAgo(), input);
    const items = page.items.flatMap(({ username, lastActivityOn: day }) =>
      day === null ? [] : { username, last_activity_on: day, last_activity_at: day },
    );
    return { ...page, items };
  }

  @Handles(getAvatarOfEmail)
  async avatar(_context: ContextOf<typeof getAvatarOfEmail>, { email, size }: ParsedOf<typeof getAvatarOfEmail>) {
    const user = email === '' ? null : await this.users.findByPublicEmail(email);
    return { avatar_url: user?.avatar ? this.views.summary(user).avatar_url : this.views.gravatarOf(email, size) };
  }

  private async count<O extends Operation>(
    caller: Caller,
    list: O,
    input: Parameters<typeof this.client.call<O>>[1],
  ): Promise<number> {
    const { total } = (await this.client.call(list, input, { caller })) as { total?: number };
    return total ?? mostCounted;
  }
}

function sixMonthsAgo(): string {
  const day = new Date();
  day.setUTCMonth(day.getUTCMonth() - monthsBack);
  return day.toISOString().slice(0, 10);
}
