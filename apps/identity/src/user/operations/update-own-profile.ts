import { type ContextOf, invalidRecord, type ParsedOf, updateOwnProfile } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Avatars } from '../../avatar/avatar';
import { Users } from '../user.repository';
import type { User } from '../user.schema';
import { changesOf, namingOf } from '../user-changes';
import { userProblems } from '../user-rules';
import { notOwned } from './update-user';

/** Fields that the change depends on. */
const basedOn = ['username', 'profile', 'identities', 'email', 'secondaryEmails', 'avatar'] as const;

@Controller()
export class UpdateOwnProfile {
  constructor(
    private readonly users: Users,
    private readonly avatars: Avatars,
  ) {}

  @Handles(updateOwnProfile)
  async handle(
    { caller }: ContextOf<typeof updateOwnProfile>,
    { avatar: file, ...input }: ParsedOf<typeof updateOwnProfile>,
  ): Promise<void> {
    const problems = userProblems(input);
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    const avatar = file && (await this.avatars.read(file));
    let former: string | null = null;
    await this.users.changeFrom(caller.id, basedOn, async (user: User) => {
      if (input.public_email && !isConfirmed(user, input.public_email)) throw notOwned();
      former = user.avatar;
      // Before the user, and only if nothing is refused: the user always has the image.
      if (avatar) await this.avatars.keep(caller.id, avatar);
      const naming = input.name === undefined ? {} : namingOf(input.name, user.username);
      const picture = avatar === undefined ? {} : { avatar: avatar ? avatar.filename : null };
      return { ...changesOf(user, input), ...naming, ...picture };
    });
    if (avatar === '' && former) await this.avatars.remove(caller.id, former);
  }
}

const isConfirmed = ({ email, confirmedAt, secondaryEmails }: User, address: string): boolean =>
  [{ email, confirmedAt }, ...secondaryEmails].some((one) => one.email === address && one.confirmedAt !== null);
