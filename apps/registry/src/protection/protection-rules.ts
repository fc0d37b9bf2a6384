import { type Page, registryProtectionErrors } from '@moothall/contracts';
import { addWithin, Counters, changeDocument, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Protection } from './protection';
import type { ProtectionRule } from './protection-rule.schema';

type Kind = ProtectionRule['protects'];
type Facts = Pick<ProtectionRule, 'pattern' | 'pushLevel' | 'deletionLevel'>;

/** Limits for one project; each tag is matched against all patterns. */
const most: Record<Kind, number> = { images: 100, tags: 5 };

/** Every query on rules that protect images and tags. */
@Injectable()
export class ProtectionRules {
  constructor(
    @InjectModel('ProtectionRule') private readonly rules: Model<ProtectionRule>,
    private readonly counters: Counters,
  ) {}

  page(projectId: number, protects: Kind, input: { page: number; per_page: number }): Promise<Page<ProtectionRule>> {
    return findPage(this.rules, { projectId, protects }, { _id: 1 }, input);
  }

  /** The current protection rules of a project. */
  async of(projectId: number): Promise<Protection> {
    return new Protection(await this.rules.find({ projectId }).lean<ProtectionRule[]>());
  }

  /** @throws registry_protection.not_found */
  async get(projectId: number, protects: Kind, id: number): Promise<ProtectionRule> {
    const found = await this.rules.findOne({ _id: id, projectId, protects }).lean<ProtectionRule>();
    if (!found) throw registryProtectionErrors.notFound();
    return found;
  }

  /** @throws registry_protection.taken, .too_many and .no_level */
  async add(projectId: number, protects: Kind, facts: Facts): Promise<ProtectionRule> {
    requireLevel(facts);
    const bound = { filter: { projectId, protects }, most: most[protects], refusal: registryProtectionErrors.tooMany };
    const add = async () => {
      const _id = await this.counters.next('protection_rules');
      return (await this.rules.create({ _id, projectId, protects, ...facts })).toObject();
    };
    return unlessTaken(() => addWithin({ model: this.rules, ...bound }, add));
  }

  /** @throws registry_protection.not_found, .taken and .no_level */
  async change(projectId: number, protects: Kind, id: number, facts: Partial<Facts>): Promise<ProtectionRule> {
    if (Object.keys(facts).length === 0) return this.get(projectId, protects, id);
    const changed = await unlessTaken(() =>
      changeDocument(this.rules, { _id: id, projectId, protects }, ['pushLevel', 'deletionLevel'], (current) => {
        requireLevel({ ...current, ...facts });
        return { $set: facts };
      }),
    );
    if (!changed) throw registryProtectionErrors.notFound();
    return changed;
  }

  /** @throws registry_protection.not_found */
  async remove(projectId: number, protects: Kind, id: number): Promise<void> {
    const { deletedCount } = await this.rules.deleteOne({ _id: id, projectId, protects });
    if (deletedCount === 0) throw registryProtectionErrors.notFound();
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.rules.deleteMany({ projectId });
  }
}

function requireLevel({ pushLevel, deletionLevel }: Pick<Facts, 'pushLevel' | 'deletionLevel'>): void {
  if (pushLevel === null && deletionLevel === null) throw registryProtectionErrors.noLevel();
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isDuplicateKey(error, 'pattern') ? registryProtectionErrors.taken() : error;
  }
}
