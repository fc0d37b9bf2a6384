import { userStateErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Users } from './user.repository';
import type { User } from './user.schema';

const isAdministrator = ({ isAdmin, state, kind }: User): boolean => isAdmin && state === 'active' && kind === 'human';

/** Sees to it that somebody can administer the server, whatever administrators do to each other. */
@Injectable()
export class LastAdministrator {
  constructor(private readonly users: Users) {}

  /**
   * Makes a change that may take an administrator away. Two of them may go at the same moment, so it is looked at
   * again afterwards, and taken back where nobody is left.
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
   * Deletes a user. An administrator is none any more before that, so that of two who go at once each sees the other go.
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
