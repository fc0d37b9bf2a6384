import type { ModelDefinition } from '@nestjs/mongoose';
import { ActingUser } from './acting-user';
import { AutoMerges } from './auto-merges';
import { BlockingDiscussions } from './blocking-discussions';
import { CloseIssues } from './close-issues';
import { CreateMergeRequest } from './create-merge-request';
import { FollowBranches } from './follow-branches';
import { MergeRequestsFollowUserDeletions } from './follow-user-deletions';
import { HeadPipeline } from './head-pipeline';
import { ListMergeRequests } from './list-merge-requests';
import { MergeOperations } from './merge.operations';
import { MergeMergeRequest } from './merge-merge-request';
import { MergeRequests } from './merge-request.repository';
import { mergeRequestSchema, mergeRequestVersionSchema } from './merge-request.schema';
import { MergeRequestAwards } from './merge-request-awards';
import { MergeRequestCommands } from './merge-request-commands';
import { MergeRequestContent } from './merge-request-content.operations';
import { MergeRequestDiscussions } from './merge-request-discussions';
import { MergeRequestFollow } from './merge-request-follow.operations';
import { MergeRequestGit } from './merge-request-git';
import { MergeRequestKind } from './merge-request-kind';
import { MergeRequestLabelEvents } from './merge-request-label-events';
import { MergeRequestNoteable } from './merge-request-noteable';
import { MergeRequestNotes } from './merge-request-notes';
import { MergeRequestVersions } from './merge-request-versions';
import { MergeRequestViews } from './merge-request-views';
import { MergeSettingsOf } from './merge-settings';
import { MergeStatuses } from './merge-statuses';
import { NameClosing } from './name-closing';
import { PerformMerge } from './perform-merge';
import { ReadMergeRequest } from './read-merge-request';
import { DeleteMergeRequest, RemoveMergeRequests } from './remove-merge-requests';
import { ResumeMerges } from './resume-merges';
import { Reviewers } from './reviewers';
import { SourceRights } from './source-rights';
import { UpdateMergeRequest } from './update-merge-request';

export const mergeRequestCollections: ModelDefinition[] = [
  { name: 'MergeRequest', schema: mergeRequestSchema },
  { name: 'MergeRequestVersion', schema: mergeRequestVersionSchema },
];
export const mergeRequestProviders = [
  ActingUser,
  AutoMerges,
  BlockingDiscussions,
  CloseIssues,
  FollowBranches,
  HeadPipeline,
  MergeRequestCommands,
  MergeRequestGit,
  MergeRequestKind,
  MergeRequestNoteable,
  MergeRequests,
  MergeRequestsFollowUserDeletions,
  MergeRequestVersions,
  MergeRequestViews,
  MergeSettingsOf,
  MergeStatuses,
  NameClosing,
  PerformMerge,
  RemoveMergeRequests,
  ResumeMerges,
  Reviewers,
  SourceRights,
];
export const mergeRequestControllers = [
  CreateMergeRequest,
  DeleteMergeRequest,
  ListMergeRequests,
  MergeMergeRequest,
  MergeOperations,
  MergeRequestAwards,
  MergeRequestContent,
  MergeRequestDiscussions,
  MergeRequestFollow,
  MergeRequestLabelEvents,
  MergeRequestNotes,
  ReadMergeRequest,
  UpdateMergeRequest,
];
