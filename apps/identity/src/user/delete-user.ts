import { type ContextOf, deleteUser, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GhostUser } from './ghost-user';
import { Users } from './user.repository';

@Controller()
export class DeleteUser {
  constructor(
    private readonly users: Users,
    private readonly ghost: GhostUser,
  ) {}

  @Handles(deleteUser)
  async handle(_context: ContextOf<typeof deleteUser>, input: ParsedOf<typeof deleteUser>): Promise<void> {
    const user = await this.users.get(input.id);
    const ghostId = await this.ghost.id();
    await this.users.remove(user, { hardDelete: input.hard_delete, ghostId });
  }
}
