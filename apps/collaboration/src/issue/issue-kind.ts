import { type EventRecord, issueChanged, issueErrors } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteSubject } from '../activity/new-note';
import type { IssuableKind, PlainAction } from '../issuable/change-issuable';
import { otherwiseBefore } from '../issuable/otherwise-before';
import type { IssueDocument } from './issue.schema';

/** Issues as the code that they share with merge requests and epics needs them. */
@Injectable()
export class IssueKind implements IssuableKind<IssueDocument> {
  readonly type = 'Issue';
  readonly noun = 'issue';
  readonly gone = issueErrors.notFound;

  constructor(@InjectModel('Issue') readonly model: Model<IssueDocument>) {}

  subjectOf({ _id, iid, projectId }: IssueDocument): NoteSubject {
    return { type: this.type, id: _id, iid, projectId, groupId: null };
  }

  eventOf(action: PlainAction, issue: IssueDocument, userId: number, before?: IssueDocument): EventRecord {
    const now = factsOf(issue);
    return newEvent(issueChanged, {
      action,
      user_id: userId,
      issue: now,
      ...(before && { before: otherwiseBefore(factsOf(before), now) }),
    });
  }
}

const factsOf = (issue: IssueDocument) => ({
  id: issue._id,
  iid: issue.iid,
  project_id: issue.projectId,
  title: issue.title,
  description: issue.description,
  state: issue.state,
  confidential: issue.confidential,
  author_id: issue.authorId,
  assignee_ids: issue.assigneeIds,
  label_ids: issue.labelIds,
  milestone_id: issue.milestoneId,
  due_date: issue.dueDate,
  weight: issue.weight,
  created_at: issue.createdAt.toISOString(),
  updated_at: issue.updatedAt.toISOString(),
});
