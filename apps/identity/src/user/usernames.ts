import { claimUserPath, releaseUserPath } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Users } from './user.repository';
import type { User } from './user.schema';

/** The name belongs to another user or to a group. */
export class UsernameTaken extends Error {}

interface Named {
  id: number;
  username: string;
  /** The user's current name. */
  former?: string;
}

/** Usernames share one set of paths with the top-level groups, which the projects service stores. */
@Injectable()
export class Usernames {
  constructor(
    private readonly users: Users,
    private readonly operations: OperationClient,
  ) {}

  /**
   * Writes a user with a name that nobody else can take meanwhile: the path is reserved first.
   * @throws UsernameTaken; the errors of `write`
   */
  async whileClaimed({ id, username, former }: Named, write: () => Promise<User>): Promise<User> {
    if (await this.users.findByUsername(username)) throw new UsernameTaken();
    const claim = { user_id: id, path: username };
    const { is_claimed } = await this.operations.call(claimUserPath, { ...claim, former });
    if (!is_claimed) throw new UsernameTaken();
    try {
      return await write();
    } catch (error) {
      // After any other error the user may exist: the projects service checks later.
      if (isDuplicateKey(error)) await this.operations.call(releaseUserPath, claim);
      throw isDuplicateKey(error, 'usernameKey') ? new UsernameTaken() : error;
    }
  }
}
