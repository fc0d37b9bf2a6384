import {
  customAttributeErrors,
  type EventRecord,
  type Page,
  signInRefused,
  userChanged,
  userCreated,
  userDeleted,
  userErrors,
} from '@moothall/contracts';
import { Counters, changeDocument, findPage, hasRoom, newEvent, Outbox, PointReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NewUser } from './new-user';
import {
  mostAttributes,
  mostEmails,
  type Preferences,
  type SecondaryEmail,
  type Status,
  type User,
} from './user.schema';

/** The user has the address already. */
export class EmailPresent extends Error {}

/** The user is at the limit of addresses. */
export class EmailsFull extends Error {}

/** Every query on users except lists, see {@link UserList}. */
@Injectable()
export class Users {
  private readonly byId: PointReads<User>;

  constructor(
    @InjectModel('User') private readonly users: Model<User>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {
    this.byId = new PointReads(users);
  }

  nextId(): Promise<number> {
    return this.counters.next('users');
  }

  find(id: number): Promise<User | null> {
    return this.byId.find(id);
  }

  /** @throws user.not_found */
  async get(id: number): Promise<User> {
    const user = await this.find(id);
    if (!user) throw userErrors.notFound();
    return user;
  }

  findByUsername(username: string): Promise<User | null> {
    return this.users.findOne({ usernameKey: username.toLowerCase() }).lean<User>();
  }

  /** By any address of the user. */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOne({ emailKeys: email.toLowerCase() }).lean<User>();
  }

  /** Whether an address belongs to another user. */
  async isOfAnother(id: number, email: string): Promise<boolean> {
    const holder = await this.findByEmail(email);
    return holder !== null && holder._id !== id;
  }

  /** By username or address, for sign-ins. */
  async findBySignIn(name: string): Promise<User | null> {
    return (await this.findByUsername(name)) ?? (name.includes('@') ? this.findByEmail(name) : null);
  }

  /** By id if the text is digits, else by username. */
  findByReference(reference: string): Promise<User | null> {
    return /^\d+$/.test(reference) ? this.find(Number(reference)) : this.findByUsername(reference);
  }

  findMany(ids: number[]): Promise<User[]> {
    return this.users.find({ _id: { $in: ids } }).lean<User[]>();
  }

  findManyByUsername(usernames: string[]): Promise<User[]> {
    const keys = usernames.map((username) => username.toLowerCase());
    return this.users.find({ usernameKey: { $in: keys } }).lean<User[]>();
  }

  /** By any address, confirmed or not. @param emails lower-cased */
  findManyByEmail(emails: string[]): Promise<User[]> {
    return this.users.find({ emailKeys: { $in: emails } }).lean<User[]>();
  }

  /** Number of users who may sign in. */
  countActive(): Promise<number> {
    return this.users.countDocuments({ state: 'active', kind: 'human' });
  }

  findAdministrator(): Promise<User | null> {
    return this.users.findOne({ isAdmin: true, kind: 'human' }).sort({ _id: 1 }).lean<User>();
  }

  findGhost(): Promise<User | null> {
    return this.users.findOne({ kind: 'ghost' }).sort({ _id: -1 }).lean<User>();
  }

  /** @throws MongoServerError 11000 on `usernameKey` or `emailKeys` */
  add(user: NewUser, ...events: EventRecord[]): Promise<User> {
    const { _id: user_id, username, name, email } = user;
    return this.outbox.insert(this.users, user, newEvent(userCreated, { user_id, username, name, email }), ...events);
  }

  /**
   * Changes a user, and publishes that for caches.
   * @throws user.not_found; MongoServerError 11000 on `usernameKey` or `emailKeys`
   */
  async change(user: User, changes: Partial<User>): Promise<User> {
    const event = changeOf(user, { ...user, ...changes });
    const changed = await this.outbox.update(this.users, { _id: user._id }, { $set: changes }, event);
    if (!changed) throw userErrors.notFound();
    return changed;
  }

  /**
   * Changes a user, based on the current record, so that concurrent changes are not lost.
   * @param basedOn fields that `changesOf` reads
   * @param eventsOf further events of the changed user
   * @throws user.not_found; MongoServerError 11000 on `usernameKey`, `emailKeys` or identities
   */
  async changeFrom(
    id: number,
    basedOn: readonly (keyof User & string)[],
    changesOf: (current: User) => Partial<User> | Promise<Partial<User>>,
    eventsOf: (changed: User) => EventRecord[] = () => [],
  ): Promise<User> {
    const changed = await changeDocument<User>(
      this.users,
      { _id: id },
      basedOn,
      async (current) => ({ $set: await changesOf(current) }),
      (unchanged, update, current) => {
        const changed = { ...current, ...update.$set } as User;
        return this.outbox.update(this.users, unchanged, update, changeOf(current, changed), ...eventsOf(changed));
      },
    );
    if (!changed) throw userErrors.notFound();
    return changed;
  }

  /** Number of active administrators. */
  countAdministrators(): Promise<number> {
    return this.users.countDocuments({ isAdmin: true, kind: 'human', state: 'active' });
  }

  /** Deletes a user; every service then removes or reassigns the user's records. */
  async remove(user: User, { hardDelete, ghostId }: { hardDelete: boolean; ghostId: number }): Promise<void> {
    const { _id: user_id, username, name, email } = user;
    const how = { hard_delete: hardDelete, ghost_user_id: ghostId };
    const event = newEvent(userDeleted, { user_id, username, name, email, ...how });
    await this.outbox.remove(this.users, user_id, event);
  }

  /** Publishes a sign-in of a blocked user with the right password. */
  async publishRefusal({ _id: user_id, username, name, email, state }: User): Promise<void> {
    const event = newEvent(signInRefused, { user_id, username, name, email, state });
    await this.outbox.update(this.users, { _id: user_id }, {}, event);
  }

  /** Sets one attribute without overwriting concurrent changes. @throws custom_attribute.too_many */
  async setAttribute(id: number, key: string, value: string): Promise<void> {
    const present = { _id: id, customAttributes: { $elemMatch: { key } } };
    const { matchedCount } = await this.users.updateOne(present, { $set: { 'customAttributes.$.value': value } });
    if (matchedCount > 0) return;
    const absent = { _id: id, 'customAttributes.key': { $ne: key } };
    const withRoom = { ...absent, ...hasRoom('customAttributes', mostAttributes) };
    const added = await this.users.updateOne(withRoom, { $push: { customAttributes: { key, value } } });
    if (added.matchedCount > 0) return;
    if (await this.users.exists(absent)) throw customAttributeErrors.tooMany();
    // A concurrent request added it: then it can be set.
    await this.setAttribute(id, key, value);
  }

  /** @returns false when there was none */
  async removeAttribute(id: number, key: string): Promise<boolean> {
    const holder = { _id: id, 'customAttributes.key': key };
    const { matchedCount } = await this.users.updateOne(holder, { $pull: { customAttributes: { key } } });
    return matchedCount > 0;
  }

  /** Adds an address besides the primary one. @throws MongoServerError 11000 if it exists */
  async addEmail(
    id: number,
    email: string,
    confirmedAt: Date | null,
    ...events: EventRecord[]
  ): Promise<SecondaryEmail> {
    const added = { id: await this.counters.next('emails'), email, confirmedAt };
    const push = { secondaryEmails: added, emailKeys: email.toLowerCase() };
    const without = { _id: id, emailKeys: { $ne: email.toLowerCase() } };
    const withRoom = { ...without, ...hasRoom('secondaryEmails', mostEmails) };
    const changed = await this.outbox.update(this.users, withRoom, { $push: push }, ...events);
    if (!changed) throw (await this.users.exists(without)) ? new EmailsFull() : new EmailPresent();
    return added;
  }

  async removeEmail(id: number, { id: emailId, email }: SecondaryEmail): Promise<void> {
    const pull = { secondaryEmails: { id: emailId }, emailKeys: email.toLowerCase() };
    await this.users.updateOne({ _id: id }, { $pull: pull });
  }

  /** @returns false if a code of that time step, or a later one, was used already */
  async takeTotpCounter(id: number, counter: number): Promise<boolean> {
    const unused = { _id: id, 'twoFactor.lastCounter': { $lt: counter } };
    const { matchedCount } = await this.users.updateOne(unused, { $set: { 'twoFactor.lastCounter': counter } });
    return matchedCount > 0;
  }

  /** @returns false if it was used already */
  async takeRecoveryCode(id: number, hash: string): Promise<boolean> {
    const unused = { _id: id, 'twoFactor.recoveryCodes': hash };
    const { matchedCount } = await this.users.updateOne(unused, { $pull: { 'twoFactor.recoveryCodes': hash } });
    return matchedCount > 0;
  }

  /**
   * Sets some preferences without overwriting concurrent changes; no event, because nobody caches them.
   * @throws user.not_found
   */
  async setPreferences(id: number, given: Partial<Preferences>): Promise<User> {
    const fields = Object.entries(given).map(([name, value]) => [`preferences.${name}`, value]);
    const changed = await this.users
      .findOneAndUpdate(
        { _id: id },
        { $set: Object.fromEntries(fields) },
        { returnDocument: 'after', timestamps: false },
      )
      .lean<User>();
    if (!changed) throw userErrors.notFound();
    return changed;
  }

  /** Sets parts of a status, or all of it if `isWhole`; no event, because nobody caches it. @throws user.not_found */
  async setStatus(id: number, given: Partial<Status>, isWhole: boolean): Promise<User> {
    const fields = isWhole
      ? { status: given }
      : Object.fromEntries(Object.entries(given).map(([name, value]) => [`status.${name}`, value]));
    const changed = await this.users
      .findOneAndUpdate({ _id: id }, { $set: fields }, { returnDocument: 'after', timestamps: false })
      .lean<User>();
    if (!changed) throw userErrors.notFound();
    return changed;
  }

  /** Users who were active on a day or later, oldest first. */
  pageOfActive(since: string, input: { page: number; per_page: number }): Promise<Page<User>> {
    return findPage(this.users, { lastActivityOn: { $gte: since } }, { lastActivityOn: 1, _id: 1 }, input);
  }

  findByPublicEmail(email: string): Promise<User | null> {
    return this.users.findOne({ 'profile.publicEmail': email }).lean<User>();
  }

  /** @param groupId all groups if absent */
  pageOfServiceAccounts(
    groupId: number | undefined,
    input: { order_by: 'id' | 'username'; sort: 'asc' | 'desc'; page: number; per_page: number },
  ): Promise<Page<User>> {
    const filter = { kind: 'service_account' as const, ...(groupId !== undefined && { serviceAccountOf: groupId }) };
    const direction = input.sort === 'asc' ? 1 : -1;
    return findPage(this.users, filter, { [input.order_by === 'id' ? '_id' : 'usernameKey']: direction }, input);
  }

  serviceAccountsOf(groupId: number): Promise<User[]> {
    return this.users.find({ serviceAccountOf: groupId }).lean<User[]>();
  }

  /** Changes fields that nobody caches, without an event. */
  async note(id: number, changes: Partial<User>): Promise<void> {
    await this.users.updateOne({ _id: id }, { $set: changes }, { timestamps: false });
  }
}

function changeOf(before: User, after: User): EventRecord {
  const { _id: user_id, username, name, email, state } = after;
  const published = ['username', 'name', 'email', 'state'] as const;
  const others = published.filter((field) => before[field] !== after[field]);
  const was = Object.fromEntries(others.map((field) => [field, before[field]]));
  return newEvent(userChanged, { user_id, username, name, email, state, before: was });
}
