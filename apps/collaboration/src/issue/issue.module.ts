import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ActivityModule } from '../activity/activity.module';
import { EpicModule } from '../epic/epic.module';
import { IssuableModule } from '../issuable/issuable.module';
import { IssueLinkModule } from '../issue-link/issue-link.module';
import { IterationModule } from '../iteration/iteration.module';
import { LabelModule } from '../label/label.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { ParentModule } from '../parent/parent.module';
import { BlockedIssues } from './blocked-issues';
import { CountOpenIssues } from './count-open-issues';
import { CreateIssue } from './create-issue';
import { DeleteIssue } from './delete-issue';
import { EpicIssues } from './epic-issues';
import { IssueOperations } from './issue.operations';
import { Issues } from './issue.repository';
import { issueSchema } from './issue.schema';
import { IssueAttributes } from './issue-attributes';
import { IssueKind } from './issue-kind';
import { IssueLinkOperations } from './issue-link.operations';
import { IssueList } from './issue-list';
import { IssueOrder } from './issue-order';
import { IssueScope } from './issue-scope';
import { IssueStatisticsOperations } from './issue-statistics.operations';
import { IssueViews } from './issue-views';
import { ListIssues } from './list-issues';
import { MilestoneIssues } from './milestone-issues';
import { RemoveIssues } from './remove-issues';
import { SearchIssues } from './search-issues';
import { SetIteration } from './set-iteration';
import { IssueTimeTracking } from './time-tracking';
import { UpdateIssue } from './update-issue';

const collections = MongooseModule.forFeature([{ name: 'Issue', schema: issueSchema }]);

@Module({
  imports: [
    collections,
    ActivityModule,
    EpicModule,
    IssuableModule,
    IssueLinkModule,
    IterationModule,
    LabelModule,
    MilestoneModule,
    ParentModule,
  ],
  providers: [
    BlockedIssues,
    IssueAttributes,
    IssueKind,
    IssueList,
    IssueOrder,
    Issues,
    IssueScope,
    IssueViews,
    RemoveIssues,
  ],
  controllers: [
    SearchIssues,
    CountOpenIssues,
    CreateIssue,
    DeleteIssue,
    EpicIssues,
    IssueLinkOperations,
    IssueOperations,
    IssueStatisticsOperations,
    IssueTimeTracking,
    ListIssues,
    MilestoneIssues,
    SetIteration,
    UpdateIssue,
  ],
  exports: [collections, IssueAttributes, IssueKind, Issues, IssueScope, IssueViews, RemoveIssues],
})
export class IssueModule {}
