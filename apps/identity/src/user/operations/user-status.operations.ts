import {
  type ContextOf,
  changeOwnStatus,
  getOwnStatus,
  getUserStatus,
  type ParsedOf,
  setOwnStatus,
  userErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user.repository';
import { statusFrom, viewStatus } from '../user-status';

@Controller()
export class UserStatuses {
  constructor(private readonly users: Users) {}

  @Handles(getOwnStatus)
  async getOwn({ caller }: ContextOf<typeof getOwnStatus>) {
    return viewStatus(await this.users.get(caller.id), Date.now());
  }

  @Handles(getUserStatus)
  async get(_context: ContextOf<typeof getUserStatus>, input: ParsedOf<typeof getUserStatus>) {
    const user = await this.users.findByReference(input.user);
    if (!user) throw userErrors.notFound();
    return viewStatus(user, Date.now());
  }

  @Handles(setOwnStatus)
  async set({ caller }: ContextOf<typeof setOwnStatus>, input: ParsedOf<typeof setOwnStatus>) {
    const now = Date.now();
    return viewStatus(await this.users.setStatus(caller.id, statusFrom(input, now), true), now);
  }

  @Handles(changeOwnStatus)
  async change({ caller }: ContextOf<typeof changeOwnStatus>, input: ParsedOf<typeof changeOwnStatus>) {
    const now = Date.now();
    return viewStatus(await this.users.setStatus(caller.id, statusFrom(input, now), false), now);
  }
}
