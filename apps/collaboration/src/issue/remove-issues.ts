import { type EventData, type EventRecord, issueChanged } from '@moothall/contracts';
import { Outbox } from '@moothall/database';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { RemoveActivity } from '../activity/remove-activity';
import { IssueLinks } from '../issue-link/issue-link.repository';
import type { IssueDocument } from './issue.schema';
import { IssueKind } from './issue-kind';

/** Removes issues and their related records. */
@Injectable()
export class RemoveIssues {
  constructor(
    private readonly kind: IssueKind,
    private readonly activity: RemoveActivity,
    private readonly links: IssueLinks,
    private readonly outbox: Outbox,
  ) {}

  async remove(issue: IssueDocument, userId: number): Promise<void> {
    await this.outbox.remove(this.kind.model, issue._id, this.kind.eventOf('delete', issue, userId));
    await this.outbox.promptly(this.removeAttached([issue._id]));
  }

  /** Repeats the removal after an interruption. */
  @OnEvent(issueChanged, 'RemoveIssues-onChanged')
  async onChanged({ data }: EventRecord<EventData<typeof issueChanged>>): Promise<void> {
    if (data.action === 'delete') await this.removeAttached([data.issue.id]);
  }

  /** Removes related records of issues that are deleted or are about to be. Idempotent. */
  async removeAttached(ids: number[]): Promise<void> {
    await this.activity.removeFrom('Issue', ids);
    await this.links.removeFrom(ids);
  }
}
