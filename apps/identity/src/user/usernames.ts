import { isPathFree } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Users } from './user.repository';

/** Usernames share one set of paths with the top-level groups, which the projects service keeps. */
@Injectable()
export class Usernames {
  constructor(
    private readonly users: Users,
    private readonly operations: OperationClient,
  ) {}

  async isFree(username: string): Promise<boolean> {
    if (await this.users.findByUsername(username)) return false;
    const { is_free } = await this.operations.call(isPathFree, { path: username });
    return is_free;
  }
}
