import { type ContextOf, invalidRecord, type ParsedOf, updateOwnProfile } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user.repository';
import type { User } from '../user.schema';
import { changesOf, namingOf } from '../user-changes';
import { userProblems } from '../user-rules';
import { notOwned } from './update-user';

/** Fields that the change depends on. */
const basedOn = ['username', 'profile', 'identities', 'email', 'secondaryEmails'] as const;

@Controller()
export class UpdateOwnProfile {
  constructor(private readonly users: Users) {}

  @Handles(updateOwnProfile)
  async handle(
    { caller }: ContextOf<typeof updateOwnProfile>,
    input: ParsedOf<typeof updateOwnProfile>,
  ): Promise<void> {
    const problems = userProblems(input);
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    await this.users.changeFrom(caller.id, basedOn, (user: User) => {
      if (input.public_email && !isConfirmed(user, input.public_email)) throw notOwned();
      const naming = input.name === undefined ? {} : namingOf(input.name, user.username);
      return { ...changesOf(user, input), ...naming };
    });
  }
}

const isConfirmed = ({ email, confirmedAt, secondaryEmails }: User, address: string): boolean =>
  [{ email, confirmedAt }, ...secondaryEmails].some((one) => one.email === address && one.confirmedAt !== null);
