import {
  approvalRuleErrors,
  type Caller,
  type ContextOf,
  createMergeRequestApprovalRule,
  deleteMergeRequestApprovalRule,
  getMergeRequestApprovalRule,
  listMergeRequestApprovalRules,
  only,
  type ParsedOf,
  type ProjectRef,
  type ResultOf,
  updateMergeRequestApprovalRule,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import { requireWritable } from '../../parent/require-writable';
import { Approvals, type Judgement } from '../mergeability/approvals';
import type { ApprovalRule } from '../record/approval-settings.schema';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { ApprovalRuleViews } from './approval-rule-views';
import { isOverridden } from './approval-views';
import { NamedApprovers } from './named-approvers';
import { changeOf, ruleOf } from './rule-input';
import { ruleIn, withChanged, withoutRule, withRule } from './rule-list';

/**
 * Approval rules of one merge request: the project's rules until they are overridden. See docs/api/merge-requests.md#9.
 */
@Controller()
export class MergeRequestApprovalRuleOperations {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly approvals: Approvals,
    private readonly approvers: NamedApprovers,
    private readonly views: ApprovalRuleViews,
    private readonly counters: Counters,
  ) {}

  @Handles(listMergeRequestApprovalRules)
  async list(
    { project, caller }: ContextOf<typeof listMergeRequestApprovalRules>,
    input: ParsedOf<typeof listMergeRequestApprovalRules>,
  ): Promise<ResultOf<typeof listMergeRequestApprovalRules>> {
    return this.view(await this.judge(project, input.merge_request_iid), caller);
  }

  @Handles(getMergeRequestApprovalRule)
  async get(
    { project, caller }: ContextOf<typeof getMergeRequestApprovalRule>,
    input: ParsedOf<typeof getMergeRequestApprovalRule>,
  ): Promise<ResultOf<typeof getMergeRequestApprovalRule>> {
    return this.viewOne(await this.judge(project, input.merge_request_iid), input.approval_rule_id, caller);
  }

  @Handles(createMergeRequestApprovalRule)
  async create(
    { project, caller }: ContextOf<typeof createMergeRequestApprovalRule>,
    input: ParsedOf<typeof createMergeRequestApprovalRule>,
  ): Promise<ResultOf<typeof createMergeRequestApprovalRule>> {
    const found = await this.findWritable(project, input.merge_request_iid);
    const named = await this.approvers.find(project, caller, input);
    const rule = ruleOf(await this.counters.next('approval_rules'), input, named);
    return this.viewOne(await this.change(found, caller, (rules) => withRule(rules, rule)), rule.id, caller);
  }

  @Handles(updateMergeRequestApprovalRule)
  async update(
    { project, caller }: ContextOf<typeof updateMergeRequestApprovalRule>,
    input: ParsedOf<typeof updateMergeRequestApprovalRule>,
  ): Promise<ResultOf<typeof updateMergeRequestApprovalRule>> {
    const found = await this.findWritable(project, input.merge_request_iid);
    const { approval_rule_id: id } = input;
    const change = changeOf(input, await this.approvers.find(project, caller, input));
    return this.viewOne(await this.change(found, caller, (rules) => withChanged(rules, id, change)), id, caller);
  }

  @Handles(deleteMergeRequestApprovalRule)
  async remove(
    { project, caller }: ContextOf<typeof deleteMergeRequestApprovalRule>,
    input: ParsedOf<typeof deleteMergeRequestApprovalRule>,
  ): Promise<void> {
    const found = await this.findWritable(project, input.merge_request_iid);
    await this.change(found, caller, (rules) => withoutRule(rules, input.approval_rule_id));
  }

  private async findWritable(project: ProjectRef, iid: number): Promise<MergeRequestDocument> {
    requireWritable(project);
    return this.mergeRequests.get(project, iid);
  }

  /** Starts from the rules that apply: the project's, unless it already has its own. */
  private async change(
    found: MergeRequestDocument,
    { id: userId }: Caller,
    rulesAfter: (rules: ApprovalRule[]) => ApprovalRule[],
  ): Promise<Judgement> {
    const patchOf = async (current: MergeRequestDocument): Promise<IssuablePatch> => {
      const { settings, rules } = await this.approvals.judgeOne(current);
      if (settings.keepsRules) throw approvalRuleErrors.overridingDisabled();
      return { silent: { approvalRules: rulesAfter(rules.map(({ rule }) => rule)) } };
    };
    return this.approvals.judgeOne(await this.changes.change(this.kind, found, patchOf, { userId }));
  }

  private async judge(project: ProjectRef, iid: number): Promise<Judgement> {
    return this.approvals.judgeOne(await this.mergeRequests.get(project, iid));
  }

  private async view({ rules, settings }: Judgement, caller?: Caller) {
    const given = rules.map(({ rule }) => rule);
    const views = await this.views.view(given, caller);
    return views.map((view, at) => ({ ...view, overridden: isOverridden(given[at], settings.rules) }));
  }

  /** @throws approval_rule.not_found */
  private async viewOne({ rules, settings, ...rest }: Judgement, id: number, caller?: Caller) {
    const wanted = ruleIn(
      rules.map(({ rule }) => rule),
      id,
    );
    return only(await this.view({ ...rest, settings, rules: rules.filter(({ rule }) => rule === wanted) }, caller));
  }
}
