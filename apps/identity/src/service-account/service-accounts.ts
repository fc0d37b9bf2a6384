import { randomBytes } from 'node:crypto';
import { invalidRecord, type Page, type ServiceAccount, userConflicts, userErrors } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { wantedConfirmation } from '../mail/account-mails';
import type { IdentitySettings } from '../settings/settings';
import { GhostUser } from '../user/ghost-user';
import { newUser } from '../user/new-user';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';
import { namingOf } from '../user/user-changes';
import { userProblems } from '../user/user-rules';
import { Usernames, UsernameTaken } from '../user/usernames';

/** A group, or the instance. */
export type AccountOwner = { groupId: number | null };
interface Naming {
  name?: string | undefined;
  username?: string | undefined;
  email?: string | undefined;
}
export interface Listing {
  order_by: 'id' | 'username';
  sort: 'asc' | 'desc';
  page: number;
  per_page: number;
}

/** Service accounts: users that nobody can sign in as. See docs/api/tokens.md#7. */
@Injectable()
export class ServiceAccounts {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
    private readonly ghost: GhostUser,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  /** @param owner absent for all service accounts */
  async page(owner: AccountOwner | undefined, input: Listing): Promise<Page<ServiceAccount>> {
    const { items, total } = await this.users.pageOfServiceAccounts(owner?.groupId ?? undefined, input);
    return { items: items.map(view), total };
  }

  /** @throws user.not_found, also for users who are not service accounts, and for accounts of others */
  async get(id: number, owner?: AccountOwner): Promise<User> {
    const user = await this.users.find(id);
    if (user?.kind !== 'service_account') throw userErrors.notFound();
    if (owner && user.serviceAccountOf !== owner.groupId) throw userErrors.notFound();
    return user;
  }

  async add({ groupId }: AccountOwner, isExternal: boolean, given: Naming): Promise<ServiceAccount> {
    await this.refuse(given);
    const of = groupId === null ? '' : `group_${groupId}_`;
    const username = given.username || `service_account_${of}${randomBytes(16).toString('hex')}`;
    const account = newUser({
      _id: await this.users.nextId(),
      username,
      name: given.name || 'Service account user',
      email: `${username.toLowerCase()}@noreply.${new URL(this.settings.EXTERNAL_URL).hostname}`,
      unconfirmedEmail: given.email || null,
      kind: 'service_account',
      serviceAccountOf: groupId,
      canCreateGroup: false,
      isExternal,
      confirmedAt: new Date(),
    });
    const claim = { id: account._id, username };
    const mails = given.email ? [wantedConfirmation(account._id, given.email)] : [];
    return this.write(() => this.usernames.whileClaimed(claim, () => this.users.add(account, ...mails)));
  }

  async change(user: User, given: Naming): Promise<ServiceAccount> {
    await this.refuse(given, user._id);
    const { name, username, email } = given;
    const changes = (current: User): Partial<User> => ({
      ...((name !== undefined || username !== undefined) &&
        namingOf(name ?? current.name, username ?? current.username)),
      ...(email !== undefined && email !== current.email && { unconfirmedEmail: email }),
    });
    const mails = (changed: User) =>
      email !== undefined && changed.unconfirmedEmail === email ? [wantedConfirmation(user._id, email)] : [];
    const change = () => this.users.changeFrom(user._id, ['name', 'username', 'email'], changes, mails);
    const isRenamed = username !== undefined && username.toLowerCase() !== user.usernameKey;
    const claim = { id: user._id, username: username ?? user.username, former: user.username };
    return this.write(() => (isRenamed ? this.usernames.whileClaimed(claim, change) : change()));
  }

  async remove(user: User, hardDelete: boolean): Promise<void> {
    await this.users.remove(user, { hardDelete, ghostId: await this.ghost.id() });
  }

  /** Removes the accounts of a deleted group; their records are assigned to the ghost user. */
  async removeOfGroup(groupId: number): Promise<void> {
    for (const account of await this.users.serviceAccountsOf(groupId)) await this.remove(account, false);
  }

  private async refuse(given: Naming, id = 0): Promise<void> {
    const problems = userProblems(given);
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    if (given.email && (await this.users.isOfAnother(id, given.email))) throw userConflicts.emailTaken();
  }

  private async write(write: () => Promise<User>): Promise<ServiceAccount> {
    try {
      return view(await write());
    } catch (error) {
      if (error instanceof UsernameTaken) throw userConflicts.usernameTaken();
      if (isDuplicateKey(error, 'emailKeys')) throw userConflicts.emailTaken();
      throw error;
    }
  }
}

const view = ({ _id, username, name, email, unconfirmedEmail, createdAt }: User): ServiceAccount => ({
  id: _id,
  username,
  name,
  email,
  unconfirmed_email: unconfirmedEmail,
  created_at: createdAt.toISOString(),
});
