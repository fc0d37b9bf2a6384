import { OperationError, protectedEnvironmentErrors } from '@moothall/contracts';
import { Counters, changeDocument, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { DeployGrant, ProtectedRecord } from './protected-environment.schema';

/**
 * Every query on protections of one kind of owner: projects protect environments by name, groups tiers of their
 * projects.
 */
export abstract class Protections {
  constructor(
    readonly model: Model<ProtectedRecord>,
    private readonly counters: Counters,
    private readonly owner: 'projectId' | 'groupId',
  ) {}

  page(ownerId: number, input: { page: number; per_page: number }) {
    return findPage(this.model, this.of(ownerId), { _id: 1 }, input);
  }

  find(ownerId: number, name: string): Promise<ProtectedRecord | null> {
    return this.model.findOne(this.of(ownerId, name)).lean<ProtectedRecord>();
  }

  /** @throws protected_environment.not_found */
  async get(ownerId: number, name: string): Promise<ProtectedRecord> {
    const found = await this.find(ownerId, name);
    if (!found) throw protectedEnvironmentErrors.notFound();
    return found;
  }

  /** The first of as many numbers for grants. */
  takeGrantIds(count: number): Promise<number> {
    return this.counters.take('deploy grants', count);
  }

  /** @throws protected_environment.taken */
  async add(ownerId: number, name: string, grants: DeployGrant[]): Promise<ProtectedRecord> {
    const _id = await this.counters.next('protected environments');
    try {
      const made = { _id, [this.owner]: ownerId, name, grants } as Partial<ProtectedRecord>;
      return (await this.model.create(made)).toObject();
    } catch (error) {
      if (!isDuplicateKey(error, 'name')) throw error;
      const { code } = protectedEnvironmentErrors.taken;
      throw new OperationError({ code, message: `Protected environment '${name}' already exists` });
    }
  }

  /**
   * @param changeOf computes the new grants from the current ones @throws protected_environment.not_found; errors of
   * `changeOf`
   */
  async changeGrants(
    ownerId: number,
    name: string,
    changeOf: (grants: DeployGrant[]) => DeployGrant[],
  ): Promise<ProtectedRecord> {
    const changed = await changeDocument(this.model, this.of(ownerId, name), ['grants'], ({ grants }) => ({
      $set: { grants: changeOf(grants) },
    }));
    if (!changed) throw protectedEnvironmentErrors.notFound();
    return changed;
  }

  /** @throws protected_environment.not_found */
  async remove(ownerId: number, name: string): Promise<void> {
    const { deletedCount } = await this.model.deleteOne(this.of(ownerId, name));
    if (deletedCount === 0) throw protectedEnvironmentErrors.notFound();
  }

  async removeOf(ownerId: number): Promise<void> {
    await this.model.deleteMany(this.of(ownerId));
  }

  async forgetUser(userId: number): Promise<void> {
    await this.model.updateMany({ 'grants.userId': userId }, { $pull: { grants: { userId } } });
  }

  async forgetGroup(groupId: number): Promise<void> {
    await this.model.updateMany({ 'grants.groupId': groupId }, { $pull: { grants: { groupId } } });
  }

  protected of(ownerId: number | { $in: readonly number[] }, name?: string | { $in: readonly string[] }) {
    return { [this.owner]: ownerId, ...(name !== undefined && { name }) } as QueryFilter<ProtectedRecord>;
  }
}

/** Protections of projects. */
@Injectable()
export class ProtectedEnvironments extends Protections {
  constructor(@InjectModel('ProtectedEnvironment') model: Model<ProtectedRecord>, counters: Counters) {
    super(model, counters, 'projectId');
  }
}

/** Protections of groups, for all projects below them. */
@Injectable()
export class GroupProtectedEnvironments extends Protections {
  constructor(@InjectModel('GroupProtectedEnvironment') model: Model<ProtectedRecord>, counters: Counters) {
    super(model, counters, 'groupId');
  }

  /** Of any of these groups, for any of these tiers. */
  async findAbove(groupIds: readonly number[], tiers: readonly string[]): Promise<ProtectedRecord[]> {
    if (groupIds.length === 0 || tiers.length === 0) return [];
    return this.model.find(this.of({ $in: groupIds }, { $in: tiers })).lean<ProtectedRecord[]>();
  }
}
