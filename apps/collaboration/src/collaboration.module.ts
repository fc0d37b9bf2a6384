import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Awards } from './award/award.repository';
import { AwardActions } from './award/award-actions';
import { AwardTargets } from './award/award-targets';
import { boardSchema } from './board/board.schema';
import { VisibleMentions } from './cross-reference/visible-mentions';
import { WriteCrossReferences } from './cross-reference/write-cross-references';
import { Discussions } from './discussion/discussion.repository';
import { DiscussionActions } from './discussion/discussion-actions';
import { epicControllers, epicProviders } from './epic';
import { epicSchema } from './epic/epic.schema';
import { GroupActivityOperations } from './group-activity/group-activity.operations';
import { ReadGroupRecords } from './group-export/read-records';
import { WriteGroupRecords } from './group-export/write-records';
import { Assignees } from './issuable/assignees';
import { ChangeIssuable } from './issuable/change-issuable';
import { IssuableFilter } from './issuable/issuable-filter';
import { CountOpenIssues } from './issue/count-open-issues';
import { CreateIssue } from './issue/create-issue';
import { DeleteIssue } from './issue/delete-issue';
import { IssueOperations } from './issue/issue.operations';
import { Issues } from './issue/issue.repository';
import { issueSchema } from './issue/issue.schema';
import { IssueAttributes } from './issue/issue-attributes';
import { IssueAwards } from './issue/issue-awards';
import { IssueCommands } from './issue/issue-commands';
import { IssueDiscussions } from './issue/issue-discussions';
import { IssueKind } from './issue/issue-kind';
import { IssueLabelEvents } from './issue/issue-label-events';
import { IssueList } from './issue/issue-list';
import { IssueNoteable } from './issue/issue-noteable';
import { IssueNotes } from './issue/issue-notes';
import { IssueOrder } from './issue/issue-order';
import { IssueScope } from './issue/issue-scope';
import { IssueViews } from './issue/issue-views';
import { ListIssues } from './issue/list-issues';
import { RemoveIssues } from './issue/remove-issues';
import { IssueTimeTracking } from './issue/time-tracking';
import { UpdateIssue } from './issue/update-issue';
import { issueLinkCollections, issueLinkControllers, issueLinkProviders } from './issue-link';
import { IssueStatisticsOperations } from './issue-statistics/issue-statistics.operations';
import { Journal } from './journal/journal';
import { RecordIds } from './journal/record-ids';
import { LabelOperations } from './label/label.operations';
import { Labels } from './label/label.repository';
import { labelSchema } from './label/label.schema';
import { LabelBearers } from './label/label-bearers';
import { Labelled } from './label/labelled';
import { ListLabels } from './label/list-labels';
import { PromoteLabel } from './label/promote-label';
import { labelEventSchema } from './label-event/label-event.schema';
import { LabelEventViews } from './label-event/label-event-views';
import { mergeRequestCollections, mergeRequestControllers, mergeRequestProviders } from './merge-request';
import { GroupMilestones } from './milestone/group-milestones';
import { Milestones } from './milestone/milestone.repository';
import { milestoneSchema } from './milestone/milestone.schema';
import { MilestoneBearers } from './milestone/milestone-bearers';
import { MilestoneIssues } from './milestone/milestone-issues';
import { MilestoneViews } from './milestone/milestone-views';
import { ProjectMilestones } from './milestone/project-milestones';
import { PromoteMilestone } from './milestone/promote-milestone';
import { Notes } from './note/note.repository';
import { noteSchema } from './note/note.schema';
import { NoteActions } from './note/note-actions';
import { RemoveAttached } from './noteable/remove-attached';
import { deletedGroupSchema } from './place/deleted-group.schema';
import { FollowPlaceDeletions } from './place/follow-place-deletions';
import { FollowPlaceTransfers } from './place/follow-place-transfers';
import { PlaceDirectory } from './place/place-directory';
import { ReadableProjects } from './place/readable-projects';
import { SettleBearers } from './place/settle-bearers';
import { Urls } from './place/urls';
import { snippetCollections, snippetControllers, snippetProviders } from './snippet';
import { FollowUserDeletions } from './user/follow-user-deletions';

const collections = MongooseModule.forFeature([
  { name: 'Label', schema: labelSchema },
  { name: 'Milestone', schema: milestoneSchema },
  { name: 'DeletedGroup', schema: deletedGroupSchema },
  { name: 'Issue', schema: issueSchema },
  { name: 'Epic', schema: epicSchema },
  { name: 'Board', schema: boardSchema },
  { name: 'Note', schema: noteSchema },
  { name: 'LabelEvent', schema: labelEventSchema },
  ...issueLinkCollections,
  ...mergeRequestCollections,
  ...snippetCollections,
]);

const places = [
  FollowPlaceDeletions,
  FollowPlaceTransfers,
  SettleBearers,
  FollowUserDeletions,
  PlaceDirectory,
  ReadableProjects,
  Urls,
];
const shared = [Journal, RecordIds, Awards, AwardActions, AwardTargets, Notes, NoteActions, RemoveAttached];
const labels = [Labels, Labelled, LabelBearers, LabelEventViews];
const milestones = [Milestones, MilestoneBearers, MilestoneViews];
const crossReferences = [WriteCrossReferences, VisibleMentions];
const discussions = [Discussions, DiscussionActions];
const issuables = [Assignees, ChangeIssuable, IssuableFilter];
const issues = [
  Issues,
  IssueAttributes,
  IssueCommands,
  IssueKind,
  IssueList,
  IssueNoteable,
  IssueOrder,
  IssueScope,
  IssueViews,
  RemoveIssues,
];

@Module({
  imports: [collections, UsersModule],
  providers: [
    ...places,
    ...shared,
    ...crossReferences,
    ...discussions,
    ...labels,
    ...milestones,
    ...issuables,
    ...issues,
    ...issueLinkProviders,
    ...epicProviders,
    ...mergeRequestProviders,
    ...snippetProviders,
  ],
  controllers: [
    LabelOperations,
    ListLabels,
    PromoteLabel,
    ProjectMilestones,
    GroupMilestones,
    PromoteMilestone,
    MilestoneIssues,
    CountOpenIssues,
    CreateIssue,
    UpdateIssue,
    DeleteIssue,
    IssueOperations,
    ListIssues,
    IssueTimeTracking,
    IssueNotes,
    IssueDiscussions,
    IssueAwards,
    IssueLabelEvents,
    IssueStatisticsOperations,
    ...issueLinkControllers,
    ...mergeRequestControllers,
    GroupActivityOperations,
    ReadGroupRecords,
    WriteGroupRecords,
    ...epicControllers,
    ...snippetControllers,
  ],
})
export class CollaborationModule {}
