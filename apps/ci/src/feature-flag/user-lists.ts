import { featureFlagErrors, invalidRecord } from '@moothall/contracts';
import { Counters, containing, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { UserListRecord } from './user-list.schema';

type Facts = Partial<Pick<UserListRecord, 'name' | 'userXids'>>;

/** Every query on lists of users for feature flags. */
@Injectable()
export class UserLists {
  constructor(
    @InjectModel('UserList') readonly model: Model<UserListRecord>,
    private readonly counters: Counters,
  ) {}

  page(projectId: number, input: { search?: string | undefined; page: number; per_page: number }) {
    const search = input.search === undefined ? {} : { name: containing(input.search) };
    return findPage(this.model, { projectId, ...search }, { iid: 1 }, input);
  }

  /** @throws feature_flag.list_not_found */
  async get(projectId: number, iid: number): Promise<UserListRecord> {
    const found = await this.model.findOne({ projectId, iid }).lean<UserListRecord>();
    if (!found) throw featureFlagErrors.listNotFound();
    return found;
  }

  /** Of the project, by id; others are omitted. */
  async byIds(projectId: number, ids: number[]): Promise<Map<number, UserListRecord>> {
    if (ids.length === 0) return new Map();
    const found = await this.model.find({ _id: { $in: [...new Set(ids)] }, projectId }).lean<UserListRecord[]>();
    return new Map(found.map((list) => [list._id, list]));
  }

  /** @throws common.invalid_record for a used name */
  async add(projectId: number, facts: Required<Facts>): Promise<UserListRecord> {
    const [_id, iid] = await Promise.all([
      this.counters.next('feature flag user lists'),
      this.counters.next(`feature flag user lists of ${projectId}`),
    ]);
    return (await this.model.create({ _id, iid, projectId, ...facts }).catch(unlessTaken)).toObject();
  }

  /** @throws feature_flag.list_not_found; common.invalid_record for a used name */
  async change(projectId: number, iid: number, facts: Facts): Promise<UserListRecord> {
    const changed = await this.model
      .findOneAndUpdate({ projectId, iid }, { $set: facts }, { returnDocument: 'after' })
      .lean<UserListRecord>()
      .catch(unlessTaken);
    if (!changed) throw featureFlagErrors.listNotFound();
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}

const unlessTaken = (error: unknown): never => {
  if (!isDuplicateKey(error, 'name')) throw error;
  throw invalidRecord({ name: ['has already been taken'] });
};
