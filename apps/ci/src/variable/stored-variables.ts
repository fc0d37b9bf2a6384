import { batched } from '@moothall/background';
import { invalidRecord, type ProjectRef, variableErrors } from '@moothall/contracts';
import { addWithin, Counters, changeDocument, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { chooseVariables, type VariableNeed } from './choose-variables';
import type { StoredVariable } from './stored-variable.schema';
import { ownersAbove, type VariableOwner } from './variable-owner';

type Facts = Omit<StoredVariable, '_id' | 'owner' | 'createdAt' | 'updatedAt'>;

/** Limit of one owner: every job gets all that match. */
const mostOfOwner = 500;
/** Limit of owners in one query. */
const mostAtOnce = 50;

/** Every query on stored variables. */
@Injectable()
export class StoredVariables {
  constructor(
    @InjectModel('KeptVariable') readonly model: Model<StoredVariable>,
    private readonly counters: Counters,
  ) {}

  page(owner: VariableOwner, input: { page: number; per_page: number }) {
    return findPage(this.model, { owner }, { _id: 1 }, input);
  }

  /** @throws ci_variable.not_found; ci_variable.ambiguous if no scope is given, and several have the key */
  async get(owner: VariableOwner, key: string, environmentScope?: string): Promise<StoredVariable> {
    const scope = environmentScope === undefined ? {} : { environmentScope };
    const [found, another] = await this.model
      .find({ owner, key, ...scope })
      .limit(2)
      .lean<StoredVariable[]>();
    if (!found) throw variableErrors.notFound();
    if (another) throw variableErrors.ambiguous();
    return found;
  }

  /**
   * @param allowed a lower limit than that of every owner, if one is configured
   * @throws common.invalid_record for a used key, and beyond the limit
   */
  async add(owner: VariableOwner, facts: Facts, allowed = mostOfOwner): Promise<StoredVariable> {
    const most = Math.min(allowed, mostOfOwner);
    const refusal = () => invalidRecord({ base: [`Maximum number of variables (${most}) exceeded`] });
    return addWithin({ model: this.model, filter: { owner }, most, refusal }, async () => {
      const _id = await this.counters.next('variables');
      return (await this.model.create({ _id, owner, ...facts }).catch(unlessTaken(facts.key))).toObject();
    });
  }

  /**
   * @param changeOf computes the new state from the current one @throws ci_variable.not_found; common.invalid_record
   * for a used scope
   */
  async change(
    id: number,
    key: string,
    changeOf: (current: StoredVariable) => Partial<Facts>,
  ): Promise<StoredVariable> {
    const basedOn = ['sealed', 'isMasked', 'isRaw'] as const;
    const changed = await changeDocument(this.model, { _id: id }, basedOn, (current) => ({
      $set: changeOf(current),
    })).catch(unlessTaken(key));
    if (!changed) throw variableErrors.notFound();
    return changed;
  }

  /** @throws ci_variable.not_found */
  async remove(id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id });
    if (deletedCount === 0) throw variableErrors.notFound();
  }

  async forget(owner: VariableOwner): Promise<void> {
    await this.model.deleteMany({ owner });
  }

  /** Variables of a project, its groups and the instance for jobs: one query for all concurrent callers. */
  async choose(project: Pick<ProjectRef, 'id' | 'groupIds'>, need: VariableNeed): Promise<StoredVariable[]> {
    const owners = ownersAbove(project);
    const kept = await Promise.all(owners.map((owner) => this.listOf(owner)));
    return chooseVariables(kept.flat(), owners, need);
  }

  private readonly listOf = batched<VariableOwner, StoredVariable[]>(
    async (owners) => {
      const found = await this.model.find({ owner: { $in: [...new Set(owners)] } }).lean<StoredVariable[]>();
      return owners.map((owner) => found.filter((variable) => variable.owner === owner));
    },
    { most: mostAtOnce },
  );
}

const unlessTaken =
  (key: string) =>
  (error: unknown): never => {
    if (!isDuplicateKey(error, 'environmentScope')) throw error;
    throw invalidRecord({ key: [`(${key}) has already been taken`] });
  };
