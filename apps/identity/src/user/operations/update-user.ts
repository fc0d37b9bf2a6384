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
import { Avatars } from '../../avatar/avatar';
import { wantedConfirmation } from '../../mail/account-mails';
import { hashPassword } from '../../password/password';
import { Sessions } from '../../session/session.repository';
import { LastAdministrator } from '../last-administrator';
import { Users } from '../user.repository';
import type { User } from '../user.schema';
import { UserViews } from '../user.view';
import { changesOf, namingOf } from '../user-changes';
import { userProblems } from '../user-rules';
import { Usernames, UsernameTaken } from '../usernames';

type Input = ParsedOf<typeof updateUser>;

/** Fields that the change depends on. */
const basedOn = ['name', 'username', 'email', 'secondaryEmails', 'profile', 'identities'] as const;

@Controller()
export class UpdateUser {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
    private readonly views: UserViews,
    private readonly avatars: Avatars,
    private readonly administrators: LastAdministrator,
    private readonly sessions: Sessions,
  ) {}

  @Handles(updateUser)
  async handle(context: ContextOf<typeof updateUser>, input: Input): Promise<ResultOf<typeof updateUser>> {
    const user = await this.users.get(input.id);
    const problems = userProblems(input);
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    await this.refuseAddresses(user, input);
    const avatar = input.avatar && (await this.avatars.read(input.avatar));
    const password = await passwordChange(input, context.caller.id);
    if (avatar) await this.avatars.keep(user._id, avatar);
    const changes = (current: User) => ({
      ...(avatar && { avatar: avatar.filename }),
      ...password,
      ...changesOf(current, input),
      ...namingChange(current, input),
      ...emailChange(current, input),
    });
    const changed = await this.write(user, input, changes);
    // Signs out all sessions with the old password.
    if (input.password !== undefined) await this.sessions.endOfUser(user._id);
    return this.views.admin(changed);
  }

  private async write(user: User, input: Input, changes: (current: User) => Partial<User>): Promise<User> {
    const mails = ({ _id, unconfirmedEmail }: User) =>
      unconfirmedEmail && unconfirmedEmail === input.email ? [wantedConfirmation(_id, unconfirmedEmail)] : [];
    const change = () => this.users.changeFrom(user._id, basedOn, changes, mails);
    try {
      return await this.renaming(user, input, () => this.administrators.stays(user, change));
    } catch (error) {
      if (error instanceof UsernameTaken) throw userConflicts.usernameTakenOnUpdate();
      if (isDuplicateKey(error, 'emailKeys')) throw userConflicts.emailTakenOnUpdate();
      if (isDuplicateKey(error, 'identities.externUid')) throw userConflicts.identityTaken();
      throw error;
    }
  }

  /** Another path is reserved first; a name that differs only in case has the same path. */
  private renaming(user: User, { username }: Input, write: () => Promise<User>): Promise<User> {
    if (username === undefined || username.toLowerCase() === user.usernameKey) return write();
    return this.usernames.whileClaimed({ id: user._id, username, former: user.username }, write);
  }

  /** @throws if an address belongs to another user */
  private async refuseAddresses(user: User, { email, public_email }: Input): Promise<void> {
    if (email && (await this.users.isOfAnother(user._id, email))) throw userConflicts.emailTakenOnUpdate();
    if (public_email && (await this.users.isOfAnother(user._id, public_email))) throw notOwned();
  }
}

export const notOwned = () => invalidRecord({ public_email: ['is not an email you own'] });

const namingChange = ({ name, username }: User, input: Input): Partial<User> =>
  input.name === undefined && input.username === undefined
    ? {}
    : namingOf(input.name ?? name, input.username ?? username);

/** By default a new address waits until it is confirmed. */
function emailChange(user: User, { email, skip_reconfirmation }: Input): Partial<User> {
  if (email === undefined || email === user.email) return {};
  if (!skip_reconfirmation) return { unconfirmedEmail: email };
  const keys = [email, ...user.secondaryEmails.map((secondary) => secondary.email)];
  return { email, unconfirmedEmail: null, confirmedAt: new Date(), emailKeys: keys.map((key) => key.toLowerCase()) };
}

/** A user who gets a password from an administrator must change it at the next sign-in. */
async function passwordChange({ id, password }: Input, callerId: number): Promise<Partial<User>> {
  if (password === undefined) return {};
  return { passwordHash: await hashPassword(password), passwordExpiresAt: id === callerId ? null : new Date() };
}
