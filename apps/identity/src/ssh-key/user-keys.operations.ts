import {
  addOwnKey,
  addUserKey,
  type ContextOf,
  deleteOwnKey,
  deleteUserKey,
  getOwnKey,
  getUserKey,
  invalidRecord,
  listOwnKeys,
  listUserKeys,
  type ParsedOf,
  type ResultOf,
  userErrors,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';
import { parsePublicKey, UnusableKey } from './parse-public-key';
import { keyProblems, SshKeys } from './ssh-key.repository';
import type { SshKey } from './ssh-key.schema';
import { viewKey } from './ssh-key.view';

interface Request {
  title: string;
  key: string;
  expires_at?: string | null | undefined;
  usage_type: NonNullable<SshKey['usage']>;
}

@Controller()
export class UserKeys {
  constructor(
    private readonly keys: SshKeys,
    private readonly users: Users,
  ) {}

  @Handles(listOwnKeys)
  async listOwn(
    { caller }: ContextOf<typeof listOwnKeys>,
    input: ParsedOf<typeof listOwnKeys>,
  ): Promise<ResultOf<typeof listOwnKeys>> {
    return this.list(caller.id, input);
  }

  @Handles(listUserKeys)
  async listOf(
    _context: ContextOf<typeof listUserKeys>,
    input: ParsedOf<typeof listUserKeys>,
  ): Promise<ResultOf<typeof listUserKeys>> {
    return this.list((await this.referenced(input.user))._id, input);
  }

  @Handles(getOwnKey)
  async getOwn(
    { caller }: ContextOf<typeof getOwnKey>,
    { key_id }: ParsedOf<typeof getOwnKey>,
  ): Promise<ResultOf<typeof getOwnKey>> {
    return viewKey(await this.keys.getOfUser(caller.id, key_id));
  }

  @Handles(getUserKey)
  async getOf(
    _context: ContextOf<typeof getUserKey>,
    { user, key_id }: ParsedOf<typeof getUserKey>,
  ): Promise<ResultOf<typeof getUserKey>> {
    return viewKey(await this.keys.getOfUser((await this.referenced(user))._id, key_id));
  }

  @Handles(addOwnKey)
  async addOwn(
    { caller }: ContextOf<typeof addOwnKey>,
    input: ParsedOf<typeof addOwnKey>,
  ): Promise<ResultOf<typeof addOwnKey>> {
    return this.add(caller.id, input);
  }

  @Handles(addUserKey)
  async addFor(
    _context: ContextOf<typeof addUserKey>,
    input: ParsedOf<typeof addUserKey>,
  ): Promise<ResultOf<typeof addUserKey>> {
    return this.add((await this.users.get(input.user_id))._id, input);
  }

  @Handles(deleteOwnKey)
  async deleteOwn({ caller }: ContextOf<typeof deleteOwnKey>, input: ParsedOf<typeof deleteOwnKey>): Promise<void> {
    await this.keys.remove(await this.keys.getOfUser(caller.id, input.key_id));
  }

  @Handles(deleteUserKey)
  async deleteOf(_context: ContextOf<typeof deleteUserKey>, input: ParsedOf<typeof deleteUserKey>): Promise<void> {
    const user = await this.users.get(input.user_id);
    await this.keys.remove(await this.keys.getOfUser(user._id, input.key_id));
  }

  private async list(userId: number, input: { page: number; per_page: number }) {
    const { items, total } = await this.keys.page({ userId, kind: 'user' }, input);
    return { items: items.map(viewKey), total };
  }

  private async add(userId: number, { title, key, expires_at, usage_type: usage }: Request) {
    const expiresAt = expires_at ? new Date(expires_at) : null;
    const problems = keyProblems({ title, expiresAt });
    if (Object.keys(problems).length > 0) throw invalidRecord(problems);
    try {
      return viewKey(await this.keys.add({ kind: 'user', userId, title, expiresAt, usage }, parsePublicKey(key)));
    } catch (error) {
      if (error instanceof UnusableKey) throw invalidRecord(error.problems);
      if (!isDuplicateKey(error)) throw error;
      throw invalidRecord({ fingerprint: ['has already been taken'], fingerprint_sha256: ['has already been taken'] });
    }
  }

  private async referenced(reference: string): Promise<User> {
    const user = await this.users.findByReference(reference);
    if (!user) throw userErrors.notFound();
    return user;
  }
}
