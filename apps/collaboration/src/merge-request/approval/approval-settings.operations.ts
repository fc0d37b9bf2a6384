import {
  type ApprovalSettings,
  type ContextOf,
  getApprovalSettings,
  onlyGiven,
  type ParsedOf,
  updateApprovalSettings,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireWritable } from '../../parent/require-writable';
import { ApprovalSettingsOfProjects } from '../record/approval-settings.repository';
import type { ApprovalSettingsDocument } from '../record/approval-settings.schema';
import { askingEverybody } from './rule-list';

/** Approval settings of a project. See docs/api/merge-requests.md#10. */
@Controller()
export class ApprovalSettingsOperations {
  constructor(
    private readonly settings: ApprovalSettingsOfProjects,
    private readonly counters: Counters,
  ) {}

  @Handles(getApprovalSettings)
  async get(
    { project }: ContextOf<typeof getApprovalSettings>,
    _: ParsedOf<typeof getApprovalSettings>,
  ): Promise<ApprovalSettings> {
    return viewSettings(await this.settings.get(project.id));
  }

  @Handles(updateApprovalSettings)
  async update(
    { project }: ContextOf<typeof updateApprovalSettings>,
    input: ParsedOf<typeof updateApprovalSettings>,
  ): Promise<ApprovalSettings> {
    requireWritable(project);
    const { approvals_before_merge: required, merge_requests_author_approval: allowsAuthors } = input;
    const switches = onlyGiven({
      keepsRules: input.disable_overriding_approvers_per_merge_request,
      resetsOnPush: input.reset_approvals_on_push,
      refusesAuthors: allowsAuthors === undefined ? undefined : !allowsAuthors,
    });
    if (required === undefined) await this.settings.set(project.id, switches);
    else await this.ask(project.id, required, switches);
    return viewSettings(await this.settings.get(project.id));
  }

  private async ask(projectId: number, required: number, switches: Parameters<ApprovalSettingsOfProjects['set']>[1]) {
    const id = await this.counters.next('approval_rules');
    await this.settings.changeRules(projectId, (rules) => askingEverybody(rules, required, id), switches);
  }
}

const viewSettings = (settings: ApprovalSettingsDocument): ApprovalSettings => ({
  approvals_before_merge: settings.rules.find(({ type }) => type === 'any_approver')?.required ?? 0,
  reset_approvals_on_push: settings.resetsOnPush ?? false,
  selective_code_owner_removals: false,
  disable_overriding_approvers_per_merge_request: settings.keepsRules ?? false,
  merge_requests_author_approval: !settings.refusesAuthors,
  merge_requests_disable_committers_approval: false,
  require_password_to_approve: false,
  require_reauthentication_to_approve: false,
});
