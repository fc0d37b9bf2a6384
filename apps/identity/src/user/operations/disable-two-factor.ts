import { type ContextOf, disableUserTwoFactor, type ParsedOf, userStateErrors } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { TwoFactors } from '../../two-factor/two-factor';
import { Users } from '../user.repository';

/** For users who have lost phone and recovery codes. See docs/api/users.md#3. */
@Controller()
export class DisableTwoFactor {
  constructor(
    private readonly users: Users,
    private readonly twoFactors: TwoFactors,
  ) {}

  @Handles(disableUserTwoFactor)
  async handle(
    _context: ContextOf<typeof disableUserTwoFactor>,
    { id }: ParsedOf<typeof disableUserTwoFactor>,
  ): Promise<void> {
    const user = await this.users.get(id);
    // Otherwise one administrator could take over another's account unnoticed.
    if (user.isAdmin) throw userStateErrors.administratorTwoFactor();
    if (!user.twoFactor) throw userStateErrors.noTwoFactor();
    await this.twoFactors.disable(user);
  }
}
