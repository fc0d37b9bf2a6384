import {
  type ContextOf,
  deleteUser,
  forbidden,
  type ParsedOf,
  soleOwnedGroups,
  userConflicts,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { GhostUser } from '../ghost-user';
import { LastAdministrator } from '../last-administrator';
import { Users } from '../user.repository';

@Controller()
export class DeleteUser {
  constructor(
    private readonly users: Users,
    private readonly ghost: GhostUser,
    private readonly administrators: LastAdministrator,
    private readonly operations: OperationClient,
  ) {}

  @Handles(deleteUser)
  async handle(_context: ContextOf<typeof deleteUser>, input: ParsedOf<typeof deleteUser>): Promise<void> {
    const user = await this.users.get(input.id);
    if (user.kind === 'ghost') throw forbidden();
    if (!input.hard_delete && (await this.ownsAlone(user._id))) throw userConflicts.soleOwner();
    const ghostId = await this.ghost.id();
    const removal = { hardDelete: input.hard_delete, ghostId };
    await this.administrators.remove(user, () => this.users.remove(user, removal));
  }

  private async ownsAlone(userId: number): Promise<boolean> {
    return (await this.operations.call(soleOwnedGroups, { user_id: userId })).length > 0;
  }
}
