import {
  addOwnGpgKey,
  addUserGpgKey,
  type ContextOf,
  deleteOwnGpgKey,
  deleteUserGpgKey,
  type GpgKey,
  getOwnGpgKey,
  getUserGpgKey,
  invalidRecord,
  listOwnGpgKeys,
  listUserGpgKeys,
  type ParsedOf,
  userErrors,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user/user.repository';
import { GpgKeys } from './gpg-key.repository';
import type { GpgKeyDocument } from './gpg-key.schema';
import { parseGpgKey, UnusableGpgKey } from './parse-gpg-key';

@Controller()
export class GpgKeyOperations {
  constructor(
    private readonly keys: GpgKeys,
    private readonly users: Users,
  ) {}

  @Handles(listOwnGpgKeys)
  async listOwn({ caller }: ContextOf<typeof listOwnGpgKeys>, input: ParsedOf<typeof listOwnGpgKeys>) {
    return this.list(caller.id, input);
  }

  @Handles(listUserGpgKeys)
  async listOf(_context: ContextOf<typeof listUserGpgKeys>, input: ParsedOf<typeof listUserGpgKeys>) {
    return this.list(await this.idOf(input.user), input);
  }

  @Handles(getOwnGpgKey)
  async getOwn({ caller }: ContextOf<typeof getOwnGpgKey>, { key_id }: ParsedOf<typeof getOwnGpgKey>) {
    return view(await this.keys.get(caller.id, key_id));
  }

  @Handles(getUserGpgKey)
  async getOf(_context: ContextOf<typeof getUserGpgKey>, { user, key_id }: ParsedOf<typeof getUserGpgKey>) {
    return view(await this.keys.get(await this.idOf(user), key_id));
  }

  @Handles(addOwnGpgKey)
  async addOwn({ caller }: ContextOf<typeof addOwnGpgKey>, { key }: ParsedOf<typeof addOwnGpgKey>) {
    return this.add(caller.id, key);
  }

  @Handles(addUserGpgKey)
  async addFor(_context: ContextOf<typeof addUserGpgKey>, { user_id, key }: ParsedOf<typeof addUserGpgKey>) {
    return this.add((await this.users.get(user_id))._id, key);
  }

  @Handles(deleteOwnGpgKey)
  async deleteOwn({ caller }: ContextOf<typeof deleteOwnGpgKey>, { key_id }: ParsedOf<typeof deleteOwnGpgKey>) {
    await this.keys.remove(caller.id, key_id);
  }

  @Handles(deleteUserGpgKey)
  async deleteOf(_context: ContextOf<typeof deleteUserGpgKey>, { user_id, key_id }: ParsedOf<typeof deleteUserGpgKey>) {
    await this.keys.remove((await this.users.get(user_id))._id, key_id);
  }

  private async list(userId: number, input: { page: number; per_page: number }) {
    const page = await this.keys.page(userId, input);
    return { ...page, items: page.items.map(view) };
  }

  private async add(userId: number, text: string): Promise<GpgKey> {
    try {
      return view(await this.keys.add(userId, parseGpgKey(text)));
    } catch (error) {
      if (error instanceof UnusableGpgKey) throw invalidRecord(error.problems);
      if (!isDuplicateKey(error)) throw error;
      throw invalidRecord({ fingerprint: ['has already been taken'] });
    }
  }

  private async idOf(reference: string): Promise<number> {
    const user = await this.users.findByReference(reference);
    if (!user) throw userErrors.notFound();
    return user._id;
  }
}

const view = ({ _id, key, createdAt }: GpgKeyDocument): GpgKey => ({
  id: _id,
  key,
  created_at: createdAt.toISOString(),
});
