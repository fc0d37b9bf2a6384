import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  countGroupIssues,
  countGroupMergeRequests,
  forbidden,
  type GroupRef,
  groupErrors,
  isReadable,
  type ParsedOf,
  resolveGroup,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../issue/issue.schema';
import { IssueScope } from '../issue/issue-scope';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { ReadableProjects } from '../parent/readable-projects';

const countedDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const since = (): string => new Date(Date.now() - countedDays * dayMs).toISOString();

/** Recent activity of a group, for its members. See docs/api/groups.md#4. */
@Controller()
export class GroupActivityOperations {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly scope: IssueScope,
    private readonly readable: ReadableProjects,
    private readonly client: OperationClient,
  ) {}

  @Handles(countGroupIssues)
  async countIssues({ caller }: ContextOf<typeof countGroupIssues>, input: ParsedOf<typeof countGroupIssues>) {
    const group = await this.findGroup(input.group_path, caller);
    const filter = await this.scope.narrowToGroup(group, caller, { scope: 'all', created_after: since() }, true);
    return { issues_count: await this.issues.countDocuments(filter) };
  }

  @Handles(countGroupMergeRequests)
  async countMergeRequests(
    { caller }: ContextOf<typeof countGroupMergeRequests>,
    input: ParsedOf<typeof countGroupMergeRequests>,
  ) {
    const group = await this.findGroup(input.group_path, caller);
    const where = {
      feature: 'merge_requests',
      shows: 'merge_requests',
      groupId: group.id,
      withArchived: true,
    } as const;
    const { ids = [] } = await this.readable.findScope(caller, where);
    const filter = { projectId: { $in: ids }, createdAt: { $gte: new Date(since()) } };
    return { merge_requests_count: await this.mergeRequests.countDocuments(filter) };
  }

  /** @throws group.not_found; common.forbidden for readers who are not members */
  private async findGroup(path: string, caller: Caller): Promise<GroupRef> {
    const { group } = await this.client.call(resolveGroup, { group: path, ...callerInput(caller) });
    if (!isReadable(group, caller)) throw groupErrors.notFound();
    if (group.accessLevel < Access.Guest) throw forbidden();
    return group;
  }
}
