import {
  type Caller,
  type ContextOf,
  followErrors,
  followUser,
  forbidden,
  listFollowers,
  listFollowing,
  type Page,
  type ParsedOf,
  Reply,
  type UserSummary,
  unfollowUser,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user/user.repository';
import { UserViews } from '../user/user.view';
import { Follows } from './follow.repository';
import type { FollowDocument } from './follow.schema';

const mostFollowed = 300;
/** The answer if nothing changes. */
const notModified = 304;

/** See docs/api/users.md#9. */
@Controller()
export class FollowUsers {
  constructor(
    private readonly follows: Follows,
    private readonly users: Users,
    private readonly views: UserViews,
  ) {}

  @Handles(followUser)
  async follow({ caller }: ContextOf<typeof followUser>, { id }: ParsedOf<typeof followUser>) {
    const view = this.views.summary(await this.users.get(id));
    if (id === caller.id) throw followErrors.oneself();
    const isNew = await this.follows.add(caller.id, id);
    if (!isNew) return new Reply(view, { status: notModified });
    // Counted after the write: concurrent requests never exceed the limit.
    if ((await this.follows.countOf(caller.id)) > mostFollowed) {
      await this.follows.remove(caller.id, id);
      throw followErrors.tooMany();
    }
    return new Reply(view);
  }

  @Handles(unfollowUser)
  async unfollow({ caller }: ContextOf<typeof unfollowUser>, { id }: ParsedOf<typeof unfollowUser>) {
    const view = this.views.summary(await this.users.get(id));
    return (await this.follows.remove(caller.id, id)) ? new Reply(view) : new Reply(view, { status: notModified });
  }

  @Handles(listFollowers)
  async followers({ caller }: ContextOf<typeof listFollowers>, input: ParsedOf<typeof listFollowers>) {
    await this.requireOpen(caller, input.id);
    return this.view(await this.follows.followers(input.id, input), ({ followerId }) => followerId);
  }

  @Handles(listFollowing)
  async following({ caller }: ContextOf<typeof listFollowing>, input: ParsedOf<typeof listFollowing>) {
    await this.requireOpen(caller, input.id);
    return this.view(await this.follows.following(input.id, input), ({ followedId }) => followedId);
  }

  private async requireOpen(caller: Caller, id: number): Promise<void> {
    const { isPrivate } = await this.users.get(id);
    if (isPrivate && !caller.isAdmin && caller.id !== id) throw forbidden();
  }

  private async view(page: Page<FollowDocument>, idOf: (follow: FollowDocument) => number): Promise<Page<UserSummary>> {
    const users = await this.users.findMany(page.items.map(idOf));
    const byId = new Map(users.map((user) => [user._id, this.views.summary(user)]));
    return { ...page, items: page.items.flatMap((follow) => byId.get(idOf(follow)) ?? []) };
  }
}
