import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module';
import { BoardModule } from '../board/board.module';
import { IssueModule } from '../issue/issue.module';
import { LabelModule } from '../label/label.module';
import { MergeRequestModule } from '../merge-request/merge-request.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { PlanArchiveModule } from '../plan-archive/plan-archive.module';
import { RemovalModule } from '../removal/removal.module';
import { ReadProjectRecords } from './read-project-records';
import { WriteProjectRecords } from './write-project-records';

/** What archives of projects hold of this service. */
@Module({
  imports: [
    ActivityModule,
    BoardModule,
    IssueModule,
    LabelModule,
    MergeRequestModule,
    MilestoneModule,
    PlanArchiveModule,
    RemovalModule,
  ],
  controllers: [ReadProjectRecords, WriteProjectRecords],
})
export class ProjectExportModule {}
