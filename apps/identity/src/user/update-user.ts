import {
  type ContextOf,
  invalidRecord,
  type ParsedOf,
  type ResultOf,
  updateUser,
  userConflicts,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Avatars } from '../avatar/avatar';
import { AccountMails } from '../mail/account-mails';
import { hashPassword } from '../password/password';
import { Users } from './user.repository';
import type { User } from './user.schema';
import { UserViews } from './user.view';
import { changesOf, namingOf } from './user-changes';
import { userProblems } from './user-rules';
import { Usernames, UsernameTaken } from './usernames';

type Input = ParsedOf<typeof updateUser>;

@Controller()
export class UpdateUser {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
    private readonly views: UserViews,
    private readonly avatars: Avatars,
    private readonly mails: AccountMails,
  ) {}

  @Handles(updateUser)
  async handle(context: ContextOf<typeof updateUser>, input: Input): Promise<ResultOf<typeof updateUser>> {
    const user = await this.users.get(input.id);
    const problems = userProblems(input);
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    const avatar = input.avatar && (await this.avatars.read(input.avatar));
    const changes: Partial<User> = {
      ...(avatar && { avatar: avatar.filename }),
      ...changesOf(user, input),
      ...namingOf(input.name ?? user.name, input.username ?? user.username),
      ...(await this.email(user, input)),
      ...(await passwordChange(input, context.caller.id)),
    };
    if (avatar) await this.avatars.keep(user._id, avatar);
    const changed = await this.write(user, changes);
    if (changes.unconfirmedEmail) await this.mails.confirmEmail(changed, changes.unconfirmedEmail);
    return this.views.admin(changed);
  }

  private async write(user: User, changes: Partial<User>): Promise<User> {
    try {
      return await this.renaming(user, changes, () => this.users.change(user, changes));
    } catch (error) {
      if (error instanceof UsernameTaken) throw userConflicts.usernameTakenOnUpdate();
      if (isDuplicateKey(error, 'emailKeys')) throw userConflicts.emailTakenOnUpdate();
      throw error;
    }
  }

  /** Another path is claimed first; what differs in case only is the same path. */
  private renaming(user: User, { username }: Partial<User>, write: () => Promise<User>): Promise<User> {
    if (username === undefined || username.toLowerCase() === user.usernameKey) return write();
    return this.usernames.whileClaimed({ id: user._id, username, former: user.username }, write);
  }

  /** A new address waits until it is confirmed, unless told otherwise. */
  private async email(user: User, { email, skip_reconfirmation }: Input): Promise<Partial<User>> {
    if (email === undefined || email === user.email) return {};
    const holder = await this.users.findByEmail(email);
    if (holder && holder._id !== user._id) throw userConflicts.emailTakenOnUpdate();
    if (!skip_reconfirmation) return { unconfirmedEmail: email };
    const keys = [email, ...user.secondaryEmails.map((secondary) => secondary.email)];
    return { email, unconfirmedEmail: null, confirmedAt: new Date(), emailKeys: keys.map((key) => key.toLowerCase()) };
  }
}

/** Who was given a password by somebody else must change it at the next sign-in. */
async function passwordChange({ id, password }: Input, callerId: number): Promise<Partial<User>> {
  if (password === undefined) return {};
  return { passwordHash: await hashPassword(password), passwordExpiresAt: id === callerId ? null : new Date() };
}
