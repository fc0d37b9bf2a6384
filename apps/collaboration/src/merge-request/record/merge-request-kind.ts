import { type EventRecord, mergeRequestChanged, mergeRequestErrors } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteSubject } from '../../activity/new-note';
import type { ChangeAction, IssuableKind } from '../../issuable/change-issuable';
import { otherwiseBefore } from '../../issuable/otherwise-before';
import type { MergeRequestDocument } from './merge-request.schema';

/** Merge requests as the code that they share with issues and epics needs them. */
@Injectable()
export class MergeRequestKind implements IssuableKind<MergeRequestDocument> {
  readonly type = 'MergeRequest';
  readonly noun = 'merge request';
  readonly gone = mergeRequestErrors.notFound;

  constructor(@InjectModel('MergeRequest') readonly model: Model<MergeRequestDocument>) {}

  subjectOf({ _id, iid, projectId }: MergeRequestDocument): NoteSubject {
    return { type: this.type, id: _id, iid, projectId, groupId: null };
  }

  eventOf(
    action: ChangeAction,
    mergeRequest: MergeRequestDocument,
    userId: number,
    before?: MergeRequestDocument,
  ): EventRecord {
    const now = factsOf(mergeRequest);
    return newEvent(mergeRequestChanged, {
      action,
      user_id: userId,
      merge_request: now,
      ...(before && { before: otherwiseBefore(factsOf(before), now) }),
    });
  }
}

const factsOf = (mergeRequest: MergeRequestDocument) => ({
  id: mergeRequest._id,
  iid: mergeRequest.iid,
  project_id: mergeRequest.projectId,
  source_project_id: mergeRequest.sourceProjectId,
  source_branch: mergeRequest.sourceBranch,
  target_branch: mergeRequest.targetBranch,
  title: mergeRequest.title,
  description: mergeRequest.description,
  state: mergeRequest.state,
  merge_status: mergeRequest.mergeStatus,
  work_in_progress: mergeRequest.isDraft,
  author_id: mergeRequest.authorId,
  assignee_ids: mergeRequest.assigneeIds,
  reviewer_ids: mergeRequest.reviewerIds,
  label_ids: mergeRequest.labelIds,
  milestone_id: mergeRequest.milestoneId,
  head_sha: mergeRequest.headSha,
  merge_commit_sha: mergeRequest.mergeCommitSha,
  created_at: mergeRequest.createdAt.toISOString(),
  updated_at: mergeRequest.updatedAt.toISOString(),
});
