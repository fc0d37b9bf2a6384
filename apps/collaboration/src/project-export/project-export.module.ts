import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module';
import { BoardModule } from '../board/board.module';
import { CommitModule } from '../commit/commit.module';
import { IssueModule } from '../issue/issue.module';
import { IssueLinkModule } from '../issue-link/issue-link.module';
import { IterationModule } from '../iteration/iteration.module';
import { LabelModule } from '../label/label.module';
import { MergeRequestModule } from '../merge-request/merge-request.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { ParentModule } from '../parent/parent.module';
import { PlanArchiveModule } from '../plan-archive/plan-archive.module';
import { RemovalModule } from '../removal/removal.module';
import { SnippetModule } from '../snippet/snippet.module';
import { ArchivedApprovals } from './archived-approvals';
import { NamedIterations } from './named-iterations';
import { ReadAttached } from './read-attached';
import { ReadProjectRecords } from './read-project-records';
import { RecordsByNumber } from './records-by-number';
import { RemoveDeleted } from './remove-deleted';
import { TakeAttached } from './take-attached';
import { TakeSnippets } from './take-snippets';
import { WriteProjectRecords } from './write-project-records';

/** The part of project archives that belongs to this service. */
@Module({
  imports: [
    ActivityModule,
    BoardModule,
    CommitModule,
    IssueLinkModule,
    IssueModule,
    IterationModule,
    LabelModule,
    MergeRequestModule,
    MilestoneModule,
    ParentModule,
    PlanArchiveModule,
    RemovalModule,
    SnippetModule,
  ],
  providers: [
    ArchivedApprovals,
    NamedIterations,
    ReadAttached,
    RecordsByNumber,
    RemoveDeleted,
    TakeAttached,
    TakeSnippets,
  ],
  controllers: [ReadProjectRecords, WriteProjectRecords],
})
export class ProjectExportModule {}
