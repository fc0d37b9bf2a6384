import {
  type ContextOf,
  createApprovalRule,
  deleteApprovalRule,
  getApprovalRule,
  listApprovalRules,
  only,
  type ParsedOf,
  type ResultOf,
  updateApprovalRule,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireWritable } from '../../parent/require-writable';
import { ApprovalSettingsOfProjects } from '../record/approval-settings.repository';
import type { ApprovalRule } from '../record/approval-settings.schema';
import { ApprovalRuleViews } from './approval-rule-views';
import { NamedApprovers } from './named-approvers';
import { changeOf, ruleOf } from './rule-input';
import { ruleIn, withChanged, withoutRule, withRule } from './rule-list';

const forEveryBranch = { protected_branches: [], applies_to_all_protected_branches: false };

/** Approval rules of a project. See docs/api/merge-requests.md#9. */
@Controller()
export class ApprovalRuleOperations {
  constructor(
    private readonly settings: ApprovalSettingsOfProjects,
    private readonly approvers: NamedApprovers,
    private readonly views: ApprovalRuleViews,
    private readonly counters: Counters,
  ) {}

  @Handles(listApprovalRules)
  async list(
    { project, caller }: ContextOf<typeof listApprovalRules>,
    _: ParsedOf<typeof listApprovalRules>,
  ): Promise<ResultOf<typeof listApprovalRules>> {
    const { rules } = await this.settings.get(project.id);
    return (await this.views.view(rules, caller)).map((view) => ({ ...view, ...forEveryBranch }));
  }

  @Handles(getApprovalRule)
  async get(
    { project, caller }: ContextOf<typeof getApprovalRule>,
    { approval_rule_id }: ParsedOf<typeof getApprovalRule>,
  ): Promise<ResultOf<typeof getApprovalRule>> {
    const { rules } = await this.settings.get(project.id);
    return this.view(ruleIn(rules, approval_rule_id), caller);
  }

  @Handles(createApprovalRule)
  async create(
    { project, caller }: ContextOf<typeof createApprovalRule>,
    input: ParsedOf<typeof createApprovalRule>,
  ): Promise<ResultOf<typeof createApprovalRule>> {
    requireWritable(project);
    const named = await this.approvers.find(project, caller, input);
    const rule = ruleOf(await this.counters.next('approval_rules'), input, named);
    await this.settings.changeRules(project.id, (rules) => withRule(rules, rule));
    return this.view(rule, caller);
  }

  @Handles(updateApprovalRule)
  async update(
    { project, caller }: ContextOf<typeof updateApprovalRule>,
    input: ParsedOf<typeof updateApprovalRule>,
  ): Promise<ResultOf<typeof updateApprovalRule>> {
    requireWritable(project);
    const { approval_rule_id: id } = input;
    const change = changeOf(input, await this.approvers.find(project, caller, input));
    const { rules } = await this.settings.changeRules(project.id, (before) => withChanged(before, id, change));
    return this.view(ruleIn(rules, id), caller);
  }

  @Handles(deleteApprovalRule)
  async remove(
    { project }: ContextOf<typeof deleteApprovalRule>,
    { approval_rule_id: id }: ParsedOf<typeof deleteApprovalRule>,
  ): Promise<void> {
    requireWritable(project);
    await this.settings.changeRules(project.id, (rules) => withoutRule(rules, id));
  }

  private async view(rule: ApprovalRule, caller: ContextOf<typeof getApprovalRule>['caller']) {
    return { ...only(await this.views.view([rule], caller)), ...forEveryBranch };
  }
}
