import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ActivityModule } from '../activity/activity.module';
import { IssuableModule } from '../issuable/issuable.module';
import { IssueModule } from '../issue/issue.module';
import { LabelModule } from '../label/label.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { ParentModule } from '../parent/parent.module';
import { UserModule } from '../user/user.module';
import { ApprovalOperations } from './approval/approval.operations';
import { ApprovalRuleOperations } from './approval/approval-rule.operations';
import { ApprovalRuleViews } from './approval/approval-rule-views';
import { ApprovalSettingsOperations } from './approval/approval-settings.operations';
import { ApprovalViews } from './approval/approval-views';
import { MergeRequestApprovalRuleOperations } from './approval/merge-request-approval-rule.operations';
import { NamedApprovers } from './approval/named-approvers';
import { CloseIssues } from './follow/close-issues';
import { FollowBranches } from './follow/follow-branches';
import { MergeRequestsFollowUserDeletions } from './follow/follow-user-deletions';
import { ForgetApprovers } from './follow/forget-approvers';
import { MergeRequestFollow } from './follow/merge-request-follow.operations';
import { NameClosing } from './follow/name-closing';
import { AutoMerges } from './merge/auto-merges';
import { MergeOperations } from './merge/merge.operations';
import { MergeMergeRequest } from './merge/merge-merge-request';
import { MergeRequestPipelines } from './merge/merge-request-pipelines';
import { PerformMerge } from './merge/perform-merge';
import { ResumeMerges } from './merge/resume-merges';
import { Approvals } from './mergeability/approvals';
import { BlockingDiscussions } from './mergeability/blocking-discussions';
import { HeadPipeline } from './mergeability/head-pipeline';
import { MergeRequestGit } from './mergeability/merge-request-git';
import { MergeSettingsReader } from './mergeability/merge-settings';
import { MergeStatuses } from './mergeability/merge-statuses';
import { PassedChecks } from './mergeability/passed-checks';
import { SourceRights } from './mergeability/source-rights';
import { ApprovalSettingsOfProjects } from './record/approval-settings.repository';
import { approvalSettingsSchema } from './record/approval-settings.schema';
import { MergeRequests } from './record/merge-request.repository';
import { mergeRequestSchema, mergeRequestVersionSchema } from './record/merge-request.schema';
import { MergeRequestKind } from './record/merge-request-kind';
import { MergeRequestVersions } from './record/merge-request-versions';
import { ClosedIssues } from './view/closed-issues';
import { ContextCommits } from './view/context-commits.operations';
import { ListMergeRequests } from './view/list-merge-requests';
import { ListMergeRequestsOfCommits } from './view/list-merge-requests-of-commits';
import { MergeRequestContent } from './view/merge-request-content.operations';
import { MergeRequestList } from './view/merge-request-list';
import { MergeRequestViews } from './view/merge-request-views';
import { OpenMergeRequestsOfBranches } from './view/open-merge-requests-of-branches';
import { ReadMergeRequest } from './view/read-merge-request';
import { SearchMergeRequests } from './view/search-merge-requests';
import { CreateMergeRequest } from './write/create-merge-request';
import { DeleteMergeRequest, RemoveMergeRequests } from './write/remove-merge-requests';
import { Reviewers } from './write/reviewers';
import { UpdateMergeRequest } from './write/update-merge-request';

const collections = MongooseModule.forFeature([
  { name: 'ApprovalSettings', schema: approvalSettingsSchema },
  { name: 'MergeRequest', schema: mergeRequestSchema },
  { name: 'MergeRequestVersion', schema: mergeRequestVersionSchema },
]);

@Module({
  imports: [
    collections,
    ActivityModule,
    IssuableModule,
    IssueModule,
    LabelModule,
    MilestoneModule,
    ParentModule,
    UserModule,
  ],
  providers: [
    MergeRequestList,
    ApprovalRuleViews,
    Approvals,
    ApprovalSettingsOfProjects,
    ApprovalViews,
    AutoMerges,
    BlockingDiscussions,
    ClosedIssues,
    CloseIssues,
    FollowBranches,
    ForgetApprovers,
    HeadPipeline,
    MergeRequestGit,
    MergeRequestKind,
    MergeRequestPipelines,
    MergeRequests,
    MergeRequestsFollowUserDeletions,
    MergeRequestVersions,
    MergeRequestViews,
    MergeSettingsReader,
    MergeStatuses,
    PassedChecks,
    NameClosing,
    NamedApprovers,
    PerformMerge,
    RemoveMergeRequests,
    ResumeMerges,
    Reviewers,
    SourceRights,
  ],
  controllers: [
    SearchMergeRequests,
    ApprovalOperations,
    ApprovalRuleOperations,
    ApprovalSettingsOperations,
    ContextCommits,
    CreateMergeRequest,
    DeleteMergeRequest,
    ListMergeRequests,
    ListMergeRequestsOfCommits,
    MergeMergeRequest,
    MergeOperations,
    MergeRequestApprovalRuleOperations,
    MergeRequestContent,
    MergeRequestFollow,
    OpenMergeRequestsOfBranches,
    ReadMergeRequest,
    UpdateMergeRequest,
  ],
  exports: [
    collections,
    AutoMerges,
    ForgetApprovers,
    MergeRequestKind,
    MergeRequests,
    MergeRequestVersions,
    MergeRequestViews,
    MergeSettingsReader,
    RemoveMergeRequests,
    SourceRights,
  ],
})
export class MergeRequestModule {}
