import { deployKeyErrors, invalidRecord } from '@moothall/contracts';
import { Counters, hasRoom } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { SshKeys } from '../ssh-key/ssh-key.repository';
import { type Enablement, mostProjects, type SshKey } from '../ssh-key/ssh-key.schema';

/** Queries on deploy keys and their projects. */
@Injectable()
export class DeployKeys {
  constructor(
    @InjectModel('SshKey') private readonly keys: Model<SshKey>,
    private readonly all: SshKeys,
    private readonly counters: Counters,
  ) {}

  find(id: number): Promise<SshKey | null> {
    return this.keys.findOne({ _id: id, kind: 'deploy' }).lean<SshKey>();
  }

  /** @throws deploy_key.not_found also for a key that is not enabled in the project */
  async getOfProject(projectId: number, id: number): Promise<SshKey> {
    const key = await this.keys.findOne({ _id: id, 'enablements.projectId': projectId }).lean<SshKey>();
    if (!key) throw deployKeyErrors.notFound();
    return key;
  }

  async newEnablement(projectId: number, canPush: boolean): Promise<Enablement> {
    const now = new Date();
    return { id: await this.counters.next('deploy_keys_projects'), projectId, canPush, createdAt: now, updatedAt: now };
  }

  /**
   * Enables a key in a project; has no effect if it is enabled.
   * @throws common.invalid_record at the limit of projects
   */
  async enable(id: number, enablement: Enablement): Promise<void> {
    const without = { _id: id, 'enablements.projectId': { $ne: enablement.projectId } };
    const withRoom = { ...without, ...hasRoom('enablements', mostProjects) };
    const { matchedCount } = await this.keys.updateOne(withRoom, { $push: { enablements: enablement } });
    if (matchedCount === 0 && (await this.keys.exists(without)))
      throw invalidRecord({ base: ['has too many projects'] });
  }

  async change(
    id: number,
    projectId: number,
    changes: { title?: string | undefined; canPush?: boolean | undefined },
  ): Promise<SshKey> {
    const changed = await this.keys
      .findOneAndUpdate(
        { _id: id, enablements: { $elemMatch: { projectId } } },
        {
          $set: {
            ...(changes.title !== undefined && { title: changes.title }),
            ...(changes.canPush !== undefined && { 'enablements.$.canPush': changes.canPush }),
            'enablements.$.updatedAt': new Date(),
          },
        },
        { returnDocument: 'after' },
      )
      .lean<SshKey>();
    if (!changed) throw deployKeyErrors.notFound();
    return changed;
  }

  /** Disables a key in a project. A private key is deleted with its last project. */
  async disable(id: number, projectId: number): Promise<void> {
    await this.keys.updateOne({ _id: id }, { $pull: { enablements: { projectId } } });
    await this.all.removeUnused(id);
  }

  async disableAllOf(projectId: number): Promise<void> {
    const keys = await this.keys.find({ 'enablements.projectId': projectId }, { _id: 1 }).lean<{ _id: number }[]>();
    for (const { _id } of keys) await this.disable(_id, projectId);
  }
}
