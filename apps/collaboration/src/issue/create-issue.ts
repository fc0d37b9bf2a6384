import { Access, type ContextOf, createIssue, issueErrors, type ParsedOf } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import { newIssuable } from '../issuable/issuable';
import { requireWritable } from '../parent/require-writable';
import { userAgentOf } from '../user-agent/user-agent.schema';
import type { IssueDocument } from './issue.schema';
import { IssueAttributes } from './issue-attributes';
import { IssueKind } from './issue-kind';
import { IssueViews } from './issue-views';

@Controller()
export class CreateIssue {
  constructor(
    private readonly kind: IssueKind,
    private readonly attributes: IssueAttributes,
    private readonly changes: ChangeIssuable,
    private readonly counters: Counters,
    private readonly views: IssueViews,
  ) {}

  @Handles(createIssue)
  async handle({ project, caller, client }: ContextOf<typeof createIssue>, input: ParsedOf<typeof createIssue>) {
    requireWritable(project);
    const isOwner = project.accessLevel >= Access.Owner;
    const planned = project.accessLevel >= Access.Reporter ? await this.attributes.plan(project, input) : {};
    const at = isOwner && input.created_at ? new Date(input.created_at) : new Date();
    const [_id, iid] = await Promise.all([
      this.counters.next('issues'),
      this.takeNumber(project.id, isOwner ? input.iid : undefined),
    ]);
    const issue: IssueDocument = {
      ...newIssuable(at),
      _id,
      iid,
      projectId: project.id,
      title: input.title.trim(),
      description: input.description ?? null,
      authorId: caller.id,
      confidential: input.confidential ?? false,
      assigneeIds: planned.assigneeIds ?? [],
      labelIds: planned.labelIds ?? [],
      milestoneId: planned.milestoneId ?? null,
      discussionLocked: planned.discussionLocked ?? null,
      dueDate: planned.dueDate ?? null,
      weight: planned.weight ?? null,
      epicId: null,
      epicPosition: null,
      ...planned.silent,
      relativePosition: iid,
      timeEstimate: 0,
      timeSpent: 0,
      closingMergeRequestIds: [],
      movedToId: null,
      userAgent: userAgentOf(client),
    };
    const opened = await this.changes.open(this.kind, issue).catch((error: unknown) => {
      throw isDuplicateKey(error, 'iid') ? issueErrors.iidTaken() : error;
    });
    return this.views.viewOne(opened, project, caller);
  }

  /** The number of an imported issue is never assigned again. */
  private async takeNumber(projectId: number, given: number | undefined): Promise<number> {
    const counter = `issues/project/${projectId}`;
    if (given === undefined) return this.counters.next(counter);
    await this.counters.atLeast(counter, given);
    return given;
  }
}
