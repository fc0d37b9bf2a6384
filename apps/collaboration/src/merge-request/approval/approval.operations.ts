import {
  type ApprovalAction,
  approveMergeRequest,
  type Caller,
  type ContextOf,
  commonErrors,
  getMergeRequestApprovalState,
  getMergeRequestApprovals,
  mergeErrors,
  notHeadMessage,
  type ParsedOf,
  type ProjectRef,
  type ResultOf,
  resetMergeRequestApprovals,
  unapproveMergeRequest,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import { requireWritable } from '../../parent/require-writable';
import { refuseFull } from '../../user/most-people';
import { Approvals } from '../mergeability/approvals';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { hasApproved, mayApprove } from './approval-rights';
import { ApprovalViews } from './approval-views';

const withoutApprovals = { silent: { approvals: [] } };

/** Approvals of a merge request by developers, and by its author. See docs/api/merge-requests.md#8. */
@Controller()
export class ApprovalOperations {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly approvals: Approvals,
    private readonly views: ApprovalViews,
  ) {}

  @Handles(getMergeRequestApprovals)
  async get(
    { project, caller }: ContextOf<typeof getMergeRequestApprovals>,
    input: ParsedOf<typeof getMergeRequestApprovals>,
  ): Promise<ResultOf<typeof getMergeRequestApprovals>> {
    return this.views.view(await this.mergeRequests.get(project, input.merge_request_iid), project, caller);
  }

  @Handles(getMergeRequestApprovalState)
  async state(
    { project, caller }: ContextOf<typeof getMergeRequestApprovalState>,
    input: ParsedOf<typeof getMergeRequestApprovalState>,
  ): Promise<ResultOf<typeof getMergeRequestApprovalState>> {
    return this.views.viewState(await this.mergeRequests.get(project, input.merge_request_iid), caller);
  }

  @Handles(approveMergeRequest)
  approve(
    { project, caller }: ContextOf<typeof approveMergeRequest>,
    { merge_request_iid: iid, sha }: ParsedOf<typeof approveMergeRequest>,
  ): Promise<ResultOf<typeof approveMergeRequest>> {
    return this.change(project, caller, iid, async (current) => {
      const { settings } = await this.approvals.judgeOne(current);
      if (!mayApprove(current, project, settings, caller)) throw commonErrors.unauthorized();
      if (sha && sha !== current.headSha) throw mergeErrors.sourceMoved(notHeadMessage(current.headSha));
      const approvals = current.approvals ?? [];
      refuseFull(approvals.map(({ userId }) => userId));
      const silent = { approvals: [...approvals, { userId: caller.id, at: new Date() }] };
      const { isMet } = await this.approvals.judgeOne({ ...current, ...silent });
      return { silent, approval: isMet ? 'approved' : 'approval', notes: ['approved this merge request'] };
    });
  }

  @Handles(unapproveMergeRequest)
  unapprove(
    { project, caller }: ContextOf<typeof unapproveMergeRequest>,
    { merge_request_iid: iid }: ParsedOf<typeof unapproveMergeRequest>,
  ): Promise<ResultOf<typeof unapproveMergeRequest>> {
    return this.change(project, caller, iid, async (current) => {
      if (!hasApproved(current, caller)) throw commonErrors.notFound();
      const silent = { approvals: current.approvals?.filter(({ userId }) => userId !== caller.id) ?? [] };
      const approval = await this.publishWithdrawal(current, { ...current, ...silent });
      return { silent, approval, notes: ['unapproved this merge request'] };
    });
  }

  /** Publishes that a merge request is no longer approved by its rules; without rules each approval counts. */
  private async publishWithdrawal(before: MergeRequestDocument, after: MergeRequestDocument): Promise<ApprovalAction> {
    const was = await this.approvals.judgeOne(before);
    if (was.rules.length === 0) return 'unapproved';
    return was.isMet && !(await this.approvals.judgeOne(after)).isMet ? 'unapproved' : 'unapproval';
  }

  @Handles(resetMergeRequestApprovals)
  async reset(
    { project, caller }: ContextOf<typeof resetMergeRequestApprovals>,
    { merge_request_iid: iid }: ParsedOf<typeof resetMergeRequestApprovals>,
  ): Promise<void> {
    await this.change(project, caller, iid, ({ approvals = [] }) => (approvals.length > 0 ? withoutApprovals : {}));
  }

  private async change(
    project: ProjectRef,
    caller: Caller,
    iid: number,
    patchOf: (current: MergeRequestDocument) => IssuablePatch | Promise<IssuablePatch>,
  ) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, iid);
    const changed = await this.changes.change(this.kind, found, patchOf, { userId: caller.id });
    return this.views.view(changed, project, caller);
  }
}
