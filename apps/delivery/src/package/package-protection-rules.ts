import {
  type Caller,
  isBelow,
  matchesWildcard,
  type Page,
  type ProjectRef,
  packageProtectionErrors,
  rankOf,
} from '@moothall/contracts';
import { addWithin, Counters, changeDocument, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PackageProtectionRule } from './package-protection-rule.schema';

type Facts = Omit<PackageProtectionRule, '_id' | 'projectId'>;

/** Limit for one project: each upload and deletion reads all of them. */
const mostOfProject = 100;

/** Rules that protect packages, and what they refuse. See docs/api/packages.md#4. */
@Injectable()
export class PackageProtectionRules {
  constructor(
    @InjectModel('PackageProtectionRule') private readonly rules: Model<PackageProtectionRule>,
    private readonly counters: Counters,
  ) {}

  page(projectId: number, input: { page: number; per_page: number }): Promise<Page<PackageProtectionRule>> {
    return findPage(this.rules, { projectId }, { _id: 1 }, input);
  }

  /** @throws package_protection.not_found */
  async get(projectId: number, id: number): Promise<PackageProtectionRule> {
    const found = await this.rules.findOne({ _id: id, projectId }).lean<PackageProtectionRule>();
    if (!found) throw packageProtectionErrors.notFound();
    return found;
  }

  /** @throws package_protection.taken, .too_many and .no_level */
  async add(projectId: number, facts: Facts): Promise<PackageProtectionRule> {
    requireLevel(facts);
    const bound = { filter: { projectId }, most: mostOfProject, refusal: packageProtectionErrors.tooMany };
    const add = async () => {
      const _id = await this.counters.next('package_protection_rules');
      return (await this.rules.create({ _id, projectId, ...facts })).toObject();
    };
    return unlessTaken(() => addWithin({ model: this.rules, ...bound }, add));
  }

  /** @throws package_protection.not_found, .taken and .no_level */
  async change(projectId: number, id: number, facts: Partial<Facts>): Promise<PackageProtectionRule> {
    const changed = await unlessTaken(() =>
      changeDocument(this.rules, { _id: id, projectId }, ['pushLevel', 'deletionLevel'], (current) => {
        requireLevel({ ...current, ...facts });
        return { $set: facts };
      }),
    );
    if (!changed) throw packageProtectionErrors.notFound();
    return changed;
  }

  /** @throws package_protection.not_found */
  async remove(projectId: number, id: number): Promise<void> {
    const { deletedCount } = await this.rules.deleteOne({ _id: id, projectId });
    if (deletedCount === 0) throw packageProtectionErrors.notFound();
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.rules.deleteMany({ projectId });
  }

  /** @throws package_protection.push_refused */
  async requirePush(project: ProjectRef, caller: Caller | undefined, name: string): Promise<void> {
    const rank = rankOf(project, caller);
    if ((await this.of(project.id, name)).some(({ pushLevel }) => isBelow(pushLevel, rank)))
      throw packageProtectionErrors.pushRefused();
  }

  /** @throws package_protection.deletion_refused */
  async requireDeletion(project: ProjectRef, caller: Caller | undefined, name: string): Promise<void> {
    const rank = rankOf(project, caller);
    if ((await this.of(project.id, name)).some(({ deletionLevel }) => isBelow(deletionLevel, rank)))
      throw packageProtectionErrors.deletionRefused();
  }

  private async of(projectId: number, name: string): Promise<PackageProtectionRule[]> {
    const rules = await this.rules.find({ projectId }).lean<PackageProtectionRule[]>();
    return rules.filter(({ pattern }) => matchesWildcard(pattern, name));
  }
}

function requireLevel({ pushLevel, deletionLevel }: Pick<Facts, 'pushLevel' | 'deletionLevel'>): void {
  if (pushLevel === null && deletionLevel === null) throw packageProtectionErrors.noLevel();
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isDuplicateKey(error, 'pattern') ? packageProtectionErrors.taken() : error;
  }
}
