import {
  type ContextOf,
  createExternalStatusCheck,
  deleteExternalStatusCheck,
  hookErrors,
  invalidRecord,
  listExternalStatusChecks,
  onlyGiven,
  type ParsedOf,
  updateExternalStatusCheck,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { mayReach, OutboundPolicies } from '@moothall/outbound';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { isMoved, maskedUrl, parseHookUrl, unmaskedUrl } from '../hook/hook-url';
import { CheckedBranches } from './checked-branches';
import { StatusChecks } from './status-check.repository';
import type { StatusCheckDocument } from './status-check.schema';
import { viewStatusCheck } from './status-check.view';
import { StatusCheckAnswers } from './status-check-answer.repository';
import { queueOf } from './status-check-delivery-handler';

/** Operations on status checks of a project. See docs/api/merge-requests.md#12. */
@Controller()
export class ExternalStatusCheckOperations {
  constructor(
    private readonly checks: StatusChecks,
    private readonly answers: StatusCheckAnswers,
    private readonly branches: CheckedBranches,
    private readonly deliveries: Deliveries,
    private readonly policies: OutboundPolicies,
    private readonly box: SecretBox,
  ) {}

  @Handles(listExternalStatusChecks)
  async list(
    { project }: ContextOf<typeof listExternalStatusChecks>,
    input: ParsedOf<typeof listExternalStatusChecks>,
  ) {
    const { items, total } = await this.checks.page(project.id, input);
    const names = await this.branches.namesFor(project.id, items);
    return { items: items.map((check) => viewStatusCheck(check, names)), total };
  }

  @Handles(createExternalStatusCheck)
  async create(
    { project }: ContextOf<typeof createExternalStatusCheck>,
    input: ParsedOf<typeof createExternalStatusCheck>,
  ) {
    const { name, external_url, shared_secret, protected_branch_ids = [] } = input;
    await this.requirePermitted(unmaskedUrl(external_url));
    await this.requireBranches(project.id, protected_branch_ids);
    const check = await this.checks.add({
      projectId: project.id,
      name,
      ...this.addressOf(external_url),
      sealedSecret: shared_secret ? this.box.seal(shared_secret) : null,
      protectedBranchIds: protected_branch_ids,
    });
    return this.view(check);
  }

  @Handles(updateExternalStatusCheck)
  async update(
    { project }: ContextOf<typeof updateExternalStatusCheck>,
    input: ParsedOf<typeof updateExternalStatusCheck>,
  ) {
    const { name, shared_secret, protected_branch_ids } = input;
    const check = await this.checks.get(project.id, input.check_id);
    const kept = this.box.open(check.sealedUrl);
    const url = input.external_url === undefined ? undefined : unmaskedUrl(input.external_url, kept);
    if (url !== undefined) await this.requirePermitted(url);
    if (protected_branch_ids) await this.requireBranches(project.id, protected_branch_ids);
    const changed = await this.checks.change(project.id, check._id, {
      ...onlyGiven({ name, protectedBranchIds: protected_branch_ids }),
      ...(url !== undefined && this.addressOf(url)),
      // The secret for one service is not sent to another.
      ...(url !== undefined && isMoved(kept, url) && { sealedSecret: null }),
      ...(shared_secret !== undefined && { sealedSecret: shared_secret ? this.box.seal(shared_secret) : null }),
    });
    await this.deliveries.mend(queueOf(check._id));
    return this.view(changed);
  }

  /** Deletes deliveries and answers first: after the check is deleted, nothing would delete the rest. */
  @Handles(deleteExternalStatusCheck)
  async remove(
    { project }: ContextOf<typeof deleteExternalStatusCheck>,
    { check_id }: ParsedOf<typeof deleteExternalStatusCheck>,
  ) {
    const { _id } = await this.checks.get(project.id, check_id);
    await this.deliveries.forget(queueOf(_id));
    await this.answers.forgetCheck(_id);
    await this.checks.remove(_id);
  }

  private async view(check: StatusCheckDocument) {
    return viewStatusCheck(check, await this.branches.namesFor(check.projectId, [check]));
  }

  private addressOf(url: string): Pick<StatusCheckDocument, 'sealedUrl' | 'shownUrl'> {
    return { sealedUrl: this.box.seal(url), shownUrl: maskedUrl(url) };
  }

  /** An early error. The outbound rules are checked again when a connection is made. */
  private async requirePermitted(url: string): Promise<void> {
    if (!(await mayReach(await this.policies.ofServices(), parseHookUrl(url)))) throw hookErrors.addressBlocked();
  }

  private async requireBranches(projectId: number, ids: readonly number[]): Promise<void> {
    const names = ids.length > 0 ? await this.branches.names(projectId) : new Map<number, string>();
    if (ids.some((id) => !names.has(id))) throw invalidRecord({ protected_branches: ['is invalid'] });
  }
}
