import { OperationError, protectedEnvironmentErrors } from '@moothall/contracts';
import { Counters, changeDocument, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { DeployGrant, ProtectedEnvironmentRecord } from './protected-environment.schema';

/** Every query on protected environments. */
@Injectable()
export class ProtectedEnvironments {
  constructor(
    @InjectModel('ProtectedEnvironment') readonly model: Model<ProtectedEnvironmentRecord>,
    private readonly counters: Counters,
  ) {}

  page(projectId: number, input: { page: number; per_page: number }) {
    return findPage(this.model, { projectId }, { _id: 1 }, input);
  }

  find(projectId: number, name: string): Promise<ProtectedEnvironmentRecord | null> {
    return this.model.findOne({ projectId, name }).lean<ProtectedEnvironmentRecord>();
  }

  /** @throws protected_environment.not_found */
  async get(projectId: number, name: string): Promise<ProtectedEnvironmentRecord> {
    const found = await this.find(projectId, name);
    if (!found) throw protectedEnvironmentErrors.notFound();
    return found;
  }

  /** The first of as many numbers for grants. */
  takeGrantIds(count: number): Promise<number> {
    return this.counters.take('deploy grants', count);
  }

  /** @throws protected_environment.taken */
  async add(projectId: number, name: string, grants: DeployGrant[]): Promise<ProtectedEnvironmentRecord> {
    const _id = await this.counters.next('protected environments');
    try {
      return (await this.model.create({ _id, projectId, name, grants })).toObject();
    } catch (error) {
      if (!isDuplicateKey(error, 'name')) throw error;
      const { code } = protectedEnvironmentErrors.taken;
      throw new OperationError({ code, message: `Protected environment '${name}' already exists` });
    }
  }

  /** @param changeOf what they become by what they are @throws protected_environment.not_found; what `changeOf` throws */
  async changeGrants(
    projectId: number,
    name: string,
    changeOf: (grants: DeployGrant[]) => DeployGrant[],
  ): Promise<ProtectedEnvironmentRecord> {
    const changed = await changeDocument(this.model, { projectId, name }, ['grants'], ({ grants }) => ({
      $set: { grants: changeOf(grants) },
    }));
    if (!changed) throw protectedEnvironmentErrors.notFound();
    return changed;
  }

  /** @throws protected_environment.not_found */
  async remove(projectId: number, name: string): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ projectId, name });
    if (deletedCount === 0) throw protectedEnvironmentErrors.notFound();
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  async forgetUser(userId: number): Promise<void> {
    await this.model.updateMany({ 'grants.userId': userId }, { $pull: { grants: { userId } } });
  }

  async forgetGroup(groupId: number): Promise<void> {
    await this.model.updateMany({ 'grants.groupId': groupId }, { $pull: { grants: { groupId } } });
  }
}
