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

/** Of one owner: every job gets all that are meant for it. */
const mostOfOwner = 500;
/** Owners that one query asks for. */
const mostAtOnce = 50;

/** Every query on variables that are kept for jobs. */
@Injectable()
export class StoredVariables {
  constructor(
    @InjectModel('KeptVariable') readonly model: Model<StoredVariable>,
    private readonly counters: Counters,
  ) {}

  page(owner: VariableOwner, input: { page: number; per_page: number }) {
    return findPage(this.model, { owner }, { _id: 1 }, input);
  }

  /** @throws ci_variable.not_found; ci_variable.ambiguous where the scope is not given, and several have the key */
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
   * @param allowed fewer than an owner may have in any case, where somebody has said so
   * @throws common.invalid_record for a key that is taken, and beyond what the owner may have
   */
  async add(owner: VariableOwner, facts: Facts, allowed = mostOfOwner): Promise<StoredVariable> {
    const most = Math.min(allowed, mostOfOwner);
    const refusal = () => invalidRecord({ base: [`Maximum number of variables (${most}) exceeded`] });
    return addWithin({ model: this.model, filter: { owner }, most, refusal }, async () => {
      const _id = await this.counters.next('variables');
      return (await this.model.create({ _id, owner, ...facts }).catch(unlessTaken(facts.key))).toObject();
    });
  }

  /** @param changeOf what it becomes by what it is @throws ci_variable.not_found; common.invalid_record for a scope that is taken */
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

  /** What jobs get of what their project, its groups and the instance keep: one query for all that ask at the same time. */
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
