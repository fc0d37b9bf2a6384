import {
  approveMergeRequest,
  type Caller,
  type ContextOf,
  commonErrors,
  getMergeRequestApprovalState,
  getMergeRequestApprovals,
  mergeErrors,
  type ParsedOf,
  type ProjectRef,
  type ResultOf,
  unapproveMergeRequest,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import { requireWritable } from '../../parent/require-writable';
import { refuseFull } from '../../user/most-people';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { hasApproved, mayApprove } from './approval-rights';
import { ApprovalViews } from './approval-views';

/** Developers say that they are content with a merge request, its author too. See docs/api/merge-requests.md#8. */
@Controller()
export class ApprovalOperations {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
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
    { project }: ContextOf<typeof getMergeRequestApprovalState>,
    input: ParsedOf<typeof getMergeRequestApprovalState>,
  ): Promise<ResultOf<typeof getMergeRequestApprovalState>> {
    await this.mergeRequests.get(project, input.merge_request_iid);
    return { approval_rules_overwritten: false, rules: [] };
  }

  @Handles(approveMergeRequest)
  approve(
    { project, caller }: ContextOf<typeof approveMergeRequest>,
    { merge_request_iid: iid, sha }: ParsedOf<typeof approveMergeRequest>,
  ): Promise<ResultOf<typeof approveMergeRequest>> {
    return this.change(project, caller, iid, (current) => {
      if (!mayApprove(current, project, caller)) throw commonErrors.unauthorized();
      if (sha && sha !== current.headSha)
        throw mergeErrors.sourceMoved(`SHA does not match HEAD of source branch: ${current.headSha}`);
      const approvals = current.approvals ?? [];
      refuseFull(approvals.map(({ userId }) => userId));
      const mine = { userId: caller.id, at: new Date() };
      return { silent: { approvals: [...approvals, mine] }, notes: ['approved this merge request'] };
    });
  }

  @Handles(unapproveMergeRequest)
  unapprove(
    { project, caller }: ContextOf<typeof unapproveMergeRequest>,
    { merge_request_iid: iid }: ParsedOf<typeof unapproveMergeRequest>,
  ): Promise<ResultOf<typeof unapproveMergeRequest>> {
    return this.change(project, caller, iid, (current) => {
      if (!hasApproved(current, caller)) throw commonErrors.notFound();
      const approvals = current.approvals?.filter(({ userId }) => userId !== caller.id);
      return { silent: { approvals }, notes: ['unapproved this merge request'] };
    });
  }

  private async change(
    project: ProjectRef,
    caller: Caller,
    iid: number,
    patchOf: (current: MergeRequestDocument) => IssuablePatch,
  ) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, iid);
    const changed = await this.changes.change(this.kind, found, patchOf, { userId: caller.id });
    return this.views.view(changed, project, caller);
  }
}
