import {
  activateUser,
  banUser,
  blockUser,
  type ContextOf,
  deactivateUser,
  type ParsedOf,
  type ResultOf,
  unbanUser,
  unblockUser,
  userStateErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { LastAdministrator } from '../last-administrator';
import { Users } from '../user.repository';
import type { User, UserState } from '../user.schema';

type Result = ResultOf<typeof blockUser>;

const quietDays = 90;

/** Answers null for users that already have the state. See docs/api/users.md#4. */
@Controller()
export class ChangeState {
  constructor(
    private readonly users: Users,
    private readonly administrators: LastAdministrator,
  ) {}

  @Handles(blockUser)
  async block({ caller }: ContextOf<typeof blockUser>, { id }: ParsedOf<typeof blockUser>): Promise<Result> {
    const user = await this.users.get(id);
    if (user._id === caller.id) throw userStateErrors.oneself();
    if (user.kind === 'ghost') throw userStateErrors.internal();
    refuseBanned(user);
    return this.enter(user, 'blocked');
  }

  @Handles(banUser)
  async ban({ caller }: ContextOf<typeof banUser>, { id }: ParsedOf<typeof banUser>): Promise<Result> {
    const user = await this.users.get(id);
    if (user._id === caller.id) throw userStateErrors.oneself();
    if (user.kind === 'ghost') throw userStateErrors.internal();
    if (user.state !== 'active' && user.state !== 'banned') throw userStateErrors.notActive();
    return this.enter(user, 'banned');
  }

  @Handles(unbanUser)
  async unban(_context: ContextOf<typeof unbanUser>, { id }: ParsedOf<typeof unbanUser>): Promise<Result> {
    const user = await this.users.get(id);
    if (user.state !== 'banned') throw userStateErrors.notBanned();
    return this.enter(user, 'active');
  }

  @Handles(unblockUser)
  async unblock(
    _context: ContextOf<typeof unblockUser>,
    { id }: ParsedOf<typeof unblockUser>,
  ): Promise<ResultOf<typeof unblockUser>> {
    const user = await this.users.get(id);
    if (user.state === 'deactivated') throw userStateErrors.deactivatedCannotBeUnblocked();
    refuseBanned(user);
    return (await this.enter(user, 'active')) !== null;
  }

  @Handles(activateUser)
  async activate(_context: ContextOf<typeof activateUser>, { id }: ParsedOf<typeof activateUser>): Promise<Result> {
    const user = await this.users.get(id);
    if (user.state === 'blocked') throw userStateErrors.blockedCannotBeActivated();
    refuseBanned(user);
    return this.enter(user, 'active');
  }

  @Handles(deactivateUser)
  async deactivate(
    { caller }: ContextOf<typeof deactivateUser>,
    { id }: ParsedOf<typeof deactivateUser>,
  ): Promise<Result> {
    const user = await this.users.get(id);
    if (user.state === 'blocked') throw userStateErrors.blockedCannotBeDeactivated();
    refuseBanned(user);
    if (user.kind === 'ghost') throw userStateErrors.internal();
    if (user._id === caller.id || wasActiveRecently(user)) throw userStateErrors.recentlyActive();
    return this.enter(user, 'deactivated');
  }

  private async enter(user: User, state: UserState): Promise<Result> {
    if (user.state === state) return null;
    await this.administrators.stays(user, () => this.users.change(user, { state }));
    return true;
  }
}

function refuseBanned({ state }: User): void {
  if (state === 'banned') throw userStateErrors.banned();
}

function wasActiveRecently({ lastActivityOn }: User): boolean {
  return lastActivityOn !== null && Date.now() - Date.parse(lastActivityOn) < quietDays * 86_400_000;
}
