import { passedStatusChecks } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import type { MergeSettings } from './merge-settings';

type Checked = Pick<MergeRequestDocument, 'iid' | 'projectId' | 'targetBranch'>;

/** Whether external status checks passed, if a project requires them. See docs/api/merge-requests.md#12. */
@Injectable()
export class PassedChecks {
  constructor(private readonly client: OperationClient) {}

  /** @param sha head of the source branch that they must have passed for */
  async areMetAt(
    { iid, projectId, targetBranch }: Checked,
    sha: string | null,
    settings: MergeSettings,
  ): Promise<boolean> {
    if (!settings.only_allow_merge_if_all_status_checks_passed) return true;
    if (sha === null) return false;
    const asked = [{ iid, sha, target_branch: targetBranch }];
    return (await this.client.call(passedStatusChecks, { project_id: projectId, merge_requests: asked })).includes(iid);
  }
}
