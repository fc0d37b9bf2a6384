import { pushRuleErrors } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PushRule, PushRuleFields } from './push-rule.schema';

export type PushRuleOwner = Pick<PushRule, 'kind' | 'parentId'>;

const unlessGiven: PushRuleFields = {
  denyDeleteTag: false,
  memberCheck: false,
  preventSecrets: false,
  commitMessageRegex: null,
  commitMessageNegativeRegex: null,
  branchNameRegex: null,
  authorEmailRegex: null,
  fileNameRegex: null,
  maxFileSize: 0,
  commitCommitterCheck: false,
  commitCommitterNameCheck: false,
  rejectUnsignedCommits: false,
  rejectNonDcoCommits: false,
};

/** Queries on push rules. */
@Injectable()
export class PushRuleSets {
  constructor(
    @InjectModel('PushRule') private readonly rules: Model<PushRule>,
    private readonly counters: Counters,
  ) {}

  find(owner: PushRuleOwner): Promise<PushRule | null> {
    return this.rules.findOne({ ...owner }).lean<PushRule>();
  }

  /** @throws push_rule.not_found */
  async get(owner: PushRuleOwner): Promise<PushRule> {
    const found = await this.find(owner);
    if (!found) throw pushRuleErrors.notFound();
    return found;
  }

  /** @throws push_rule.exists */
  async add(owner: PushRuleOwner, given: Partial<PushRuleFields>): Promise<PushRule> {
    const _id = await this.counters.next('push_rules');
    try {
      const rule = { ...unlessGiven, ...given, ...owner, _id, createdAt: new Date() };
      return (await this.rules.create(rule)).toObject() as PushRule;
    } catch (error) {
      throw isDuplicateKey(error) ? pushRuleErrors.exists() : error;
    }
  }

  /** @throws push_rule.not_found */
  async change(owner: PushRuleOwner, given: Partial<PushRuleFields>): Promise<PushRule> {
    const changed = await this.rules
      .findOneAndUpdate({ ...owner }, { $set: given }, { returnDocument: 'after' })
      .lean<PushRule>();
    if (!changed) throw pushRuleErrors.notFound();
    return changed;
  }

  /** @returns false when there were none */
  async remove(owner: PushRuleOwner): Promise<boolean> {
    return (await this.rules.deleteOne({ ...owner })).deletedCount > 0;
  }

  /**
   * A new project gets the rules of the nearest group that has any. Idempotent.
   * @param groupIds above the project, nearest first
   */
  async begin(projectId: number, groupIds: readonly number[]): Promise<void> {
    if (groupIds.length === 0) return;
    const ofGroups = await this.rules.find({ kind: 'group', parentId: { $in: [...groupIds] } }).lean<PushRule[]>();
    const nearest = groupIds.map((id) => ofGroups.find(({ parentId }) => parentId === id)).find((rule) => rule);
    const owner = { kind: 'project', parentId: projectId } as const;
    if (!nearest || (await this.find(owner))) return;
    const { _id, kind, parentId, createdAt, ...fields } = nearest;
    await this.rules
      .create({ ...fields, ...owner, _id: await this.counters.next('push_rules'), createdAt: new Date() })
      .catch((error: unknown) => {
        // A concurrent or repeated request created them.
        if (!isDuplicateKey(error)) throw error;
      });
  }
}
