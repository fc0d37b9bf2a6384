import {
  type ExportedApprovalRule,
  type ExportedApprovalSettings,
  type ProjectRef,
  present,
} from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { z } from 'zod';
import type { ApprovalRule, ApprovalSettingsDocument } from '../merge-request/record/approval-settings.schema';
import { ParentDirectory } from '../parent/parent-directory';

type Settings = z.infer<typeof ExportedApprovalSettings>;

/** Groups that both the rules and the project share: only these can be matched on both sides. */
interface Known {
  groups: { id: number; fullPath: string }[];
  ofProject: readonly ApprovalRule[];
}

/** Approval rules in archives of projects. */
@Injectable()
export class ArchivedApprovals {
  constructor(
    @InjectModel('ApprovalSettings') private readonly settings: Model<ApprovalSettingsDocument>,
    private readonly parents: ParentDirectory,
    private readonly counters: Counters,
  ) {}

  /** One document, or none if the project has no settings. */
  async exportSettings(project: ProjectRef): Promise<Settings[]> {
    const [settings, { groups }] = await Promise.all([this.settingsOf(project), this.knownIn(project)]);
    if (!settings) return [];
    return [
      {
        keeps_rules: settings.keepsRules ?? false,
        refuses_authors: settings.refusesAuthors ?? false,
        resets_on_push: settings.resetsOnPush ?? false,
        rules: settings.rules.map((rule) => exportRule(rule, { groups, ofProject: [] })),
      },
    ];
  }

  /** Converts rules of merge requests to their archived form. */
  async exporter(
    project: ProjectRef,
  ): Promise<(rules: ApprovalRule[] | null | undefined) => ExportedApprovalRule[] | null> {
    const known = await this.knownIn(project);
    return (rules) => rules?.map((rule) => exportRule(rule, known)) ?? null;
  }

  /** Existing settings stay unchanged. */
  async takeSettings(project: ProjectRef, { rules, ...switches }: Settings): Promise<number> {
    const { groups } = await this.knownIn(project);
    const first = await this.counters.take('approval_rules', Math.max(1, rules.length));
    const $setOnInsert = {
      keepsRules: switches.keeps_rules,
      refusesAuthors: switches.refuses_authors,
      resetsOnPush: switches.resets_on_push,
      rules: rules.map((rule, at) => newRule(rule, first + at, groups)),
    };
    try {
      const { upsertedCount } = await this.settings.updateOne({ _id: project.id }, { $setOnInsert }, { upsert: true });
      return upsertedCount;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return 0;
    }
  }

  /** Rules of merge requests, in the same order; null for those without rules of their own. */
  async takeRules(project: ProjectRef, all: (ExportedApprovalRule[] | null)[]): Promise<(ApprovalRule[] | null)[]> {
    const count = all.reduce((sum, rules) => sum + (rules?.length ?? 0), 0);
    if (count === 0) return all.map((rules) => rules && []);
    const { groups, ofProject } = await this.knownIn(project);
    const byName = new Map(ofProject.map(({ name, id }) => [name, id]));
    let next = await this.counters.take('approval_rules', count);
    return all.map((rules) => {
      const sources = new Map(byName);
      return (
        rules?.map((rule) => {
          const source = rule.comes_from === null ? undefined : sources.get(rule.comes_from);
          // Each project rule is the source of at most one rule.
          if (source !== undefined) sources.delete(present(rule.comes_from, 'a name'));
          return newRule(rule, source ?? next++, groups);
        }) ?? null
      );
    });
  }

  private settingsOf({ id }: ProjectRef): Promise<ApprovalSettingsDocument | null> {
    return this.settings.findById(id).lean<ApprovalSettingsDocument>();
  }

  private async knownIn(project: ProjectRef): Promise<Known> {
    const [groups, settings] = await Promise.all([this.parents.findGroups(project.groupIds), this.settingsOf(project)]);
    return { groups: [...groups.values()], ofProject: settings?.rules ?? [] };
  }
}

const exportRule = (rule: ApprovalRule, { groups, ofProject }: Known): ExportedApprovalRule => ({
  name: rule.name,
  rule_type: rule.type,
  approvals_required: rule.required,
  user_ids: rule.userIds,
  group_paths: groups.filter(({ id }) => rule.groupIds.includes(id)).map(({ fullPath }) => fullPath),
  comes_from: ofProject.find(({ id }) => id === rule.id)?.name ?? null,
});

/**
 * If none of the users it names exists here, a rule still requires its approvals: it does not become one for everybody.
 */
const newRule = (rule: ExportedApprovalRule, id: number, groups: Known['groups']): ApprovalRule => ({
  id,
  name: rule.name,
  type: rule.rule_type,
  required: rule.approvals_required,
  userIds: rule.user_ids,
  groupIds: groups.filter(({ fullPath }) => rule.group_paths.includes(fullPath)).map(({ id: groupId }) => groupId),
});
