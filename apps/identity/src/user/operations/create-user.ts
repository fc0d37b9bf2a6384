import {
  type ContextOf,
  createUser,
  type EventRecord,
  invalidRecord,
  type ParsedOf,
  type ResultOf,
  userConflicts,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles, KnownSettings } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type Avatar, Avatars } from '../../avatar/avatar';
import { wantedConfirmation, wantedReset } from '../../mail/account-mails';
import { hashPassword, randomPassword } from '../../password/password';
import { emptyProfile, newUser } from '../new-user';
import { Users } from '../user.repository';
import type { User } from '../user.schema';
import { UserViews } from '../user.view';
import { changesOf } from '../user-changes';
import { userProblems } from '../user-rules';
import { Usernames, UsernameTaken } from '../usernames';
import { notOwned } from './update-user';

type Input = ParsedOf<typeof createUser>;

@Controller()
export class CreateUser {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
    private readonly views: UserViews,
    private readonly avatars: Avatars,
    private readonly instance: KnownSettings,
  ) {}

  @Handles(createUser)
  async handle(_context: ContextOf<typeof createUser>, input: Input): Promise<ResultOf<typeof createUser>> {
    const password = passwordOf(input);
    const problems = userProblems({ ...input, password });
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    if (await this.users.findByEmail(input.email)) throw userConflicts.emailTaken();
    if (input.public_email && (await this.users.findByEmail(input.public_email))) throw notOwned();
    const avatar = input.avatar && (await this.avatars.read(input.avatar));
    return this.views.admin(await this.add(input, password, avatar));
  }

  private async add(input: Input, password: string, avatar?: Omit<Avatar, '_id'> | ''): Promise<User> {
    const { default_projects_limit, user_default_external } = await this.instance.read();
    const user = newUser({
      _id: await this.users.nextId(),
      username: input.username,
      name: input.name,
      email: input.email,
      passwordHash: await hashPassword(password),
      avatar: avatar ? avatar.filename : null,
      projectsLimit: default_projects_limit,
      isExternal: user_default_external,
      confirmedAt: input.skip_confirmation ? new Date() : null,
      ...changesOf({ profile: emptyProfile, identities: [] }, input),
    });
    // Before the user: no user is visible without the uploaded avatar, nor created if it cannot be stored.
    if (avatar) await this.avatars.keep(user._id, avatar);
    try {
      return await this.usernames.whileClaimed({ id: user._id, username: user.username }, () =>
        this.users.add(user, ...mailsTo(user, input)),
      );
    } catch (error) {
      if (error instanceof UsernameTaken) throw userConflicts.usernameTaken();
      // It was taken since the check.
      if (isDuplicateKey(error, 'emailKeys')) throw userConflicts.emailTaken();
      if (isDuplicateKey(error, 'identities.externUid')) throw userConflicts.identityTaken();
      throw error;
    }
  }
}

function mailsTo({ _id, email }: { _id: number; email: string }, input: Input): EventRecord[] {
  return [
    ...(input.skip_confirmation ? [] : [wantedConfirmation(_id, email)]),
    ...(input.reset_password ? [wantedReset(_id, email)] : []),
  ];
}

/** A random password comes first, and a reset starts from one. @throws common.invalid_record when none is left */
function passwordOf({ password, reset_password, force_random_password }: Input): string {
  if (reset_password || force_random_password) return randomPassword();
  if (!password) throw invalidRecord({ password: ["can't be blank"] });
  return password;
}
