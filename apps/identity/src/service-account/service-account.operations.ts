import {
  type ContextOf,
  createGroupServiceAccount,
  createServiceAccount,
  deleteGroupServiceAccount,
  listGroupServiceAccounts,
  listServiceAccounts,
  type ParsedOf,
  type ResultOf,
  soleOwnedGroups,
  updateGroupServiceAccount,
  updateServiceAccount,
  userConflicts,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ServiceAccounts } from './service-accounts';

@Controller()
export class InstanceServiceAccounts {
  constructor(private readonly accounts: ServiceAccounts) {}

  @Handles(listServiceAccounts)
  async list(
    _context: ContextOf<typeof listServiceAccounts>,
    input: ParsedOf<typeof listServiceAccounts>,
  ): Promise<ResultOf<typeof listServiceAccounts>> {
    return this.accounts.page(undefined, input);
  }

  @Handles(createServiceAccount)
  async create(
    _context: ContextOf<typeof createServiceAccount>,
    input: ParsedOf<typeof createServiceAccount>,
  ): Promise<ResultOf<typeof createServiceAccount>> {
    return this.accounts.add({ groupId: null }, false, input);
  }

  @Handles(updateServiceAccount)
  async update(
    _context: ContextOf<typeof updateServiceAccount>,
    { user_id, ...given }: ParsedOf<typeof updateServiceAccount>,
  ): Promise<ResultOf<typeof updateServiceAccount>> {
    return this.accounts.change(await this.accounts.get(user_id), given);
  }
}

@Controller()
export class GroupServiceAccounts {
  constructor(
    private readonly accounts: ServiceAccounts,
    private readonly operations: OperationClient,
  ) {}

  @Handles(listGroupServiceAccounts)
  async list(
    { group }: ContextOf<typeof listGroupServiceAccounts>,
    input: ParsedOf<typeof listGroupServiceAccounts>,
  ): Promise<ResultOf<typeof listGroupServiceAccounts>> {
    return this.accounts.page({ groupId: group.id }, input);
  }

  @Handles(createGroupServiceAccount)
  async create(
    { group, caller }: ContextOf<typeof createGroupServiceAccount>,
    input: ParsedOf<typeof createGroupServiceAccount>,
  ): Promise<ResultOf<typeof createGroupServiceAccount>> {
    // The service account of an external user is external, too.
    return this.accounts.add({ groupId: group.id }, caller.isExternal, input);
  }

  @Handles(updateGroupServiceAccount)
  async update(
    { group }: ContextOf<typeof updateGroupServiceAccount>,
    { user_id, ...given }: ParsedOf<typeof updateGroupServiceAccount>,
  ): Promise<ResultOf<typeof updateGroupServiceAccount>> {
    return this.accounts.change(await this.accounts.get(user_id, { groupId: group.id }), given);
  }

  @Handles(deleteGroupServiceAccount)
  async delete(
    { group }: ContextOf<typeof deleteGroupServiceAccount>,
    { user_id, hard_delete }: ParsedOf<typeof deleteGroupServiceAccount>,
  ): Promise<void> {
    const account = await this.accounts.get(user_id, { groupId: group.id });
    if (!hard_delete && (await this.ownsAlone(user_id))) throw userConflicts.soleOwner();
    await this.accounts.remove(account, hard_delete);
  }

  private async ownsAlone(user_id: number): Promise<boolean> {
    return (await this.operations.call(soleOwnedGroups, { user_id })).length > 0;
  }
}
