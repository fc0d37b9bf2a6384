import { userStateErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Users } from './user.repository';
import type { User } from './user.schema';

const isAdministrator = ({ isAdmin, state, kind }: User): boolean => isAdmin && state === 'active' && kind === 'human';

/** Ensures that there is always at least one active administrator. */
@Injectable()
export class LastAdministrator {
  constructor(private readonly users: Users) {}

  /**
   * Runs a change that may remove an administrator. Two concurrent changes may remove the last two, so it checks again
   * afterwards, and reverts the change if nobody is left.
   * @throws user_state.last_administrator
   */
  async stays(before: User, change: () => Promise<User>): Promise<User> {
    if (!isAdministrator(before)) return change();
    const changed = await change();
    if (isAdministrator(changed) || (await this.users.countAdministrators()) > 0) return changed;
    const { isAdmin, state } = before;
    await this.users.change(changed, { isAdmin, state });
    throw userStateErrors.lastAdministrator();
  }

  /**
   * Deletes a user. An administrator loses the role first, so that concurrent deletions see each other.
   * @throws user_state.last_administrator
   */
  async remove(user: User, remove: () => Promise<void>): Promise<void> {
    if (!isAdministrator(user)) return remove();
    const demoted = await this.stays(user, () => this.users.change(user, { isAdmin: false }));
    await remove().catch(async (error: unknown) => {
      await this.users.change(demoted, { isAdmin: true });
      throw error;
    });
  }
}
