import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module';
import { BoardModule } from '../board/board.module';
import { EpicModule } from '../epic/epic.module';
import { JournalModule } from '../journal/journal.module';
import { LabelModule } from '../label/label.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { PlanArchiveModule } from '../plan-archive/plan-archive.module';
import { RemovalModule } from '../removal/removal.module';
import { ReadGroupRecords } from './read-records';
import { WriteGroupRecords } from './write-records';

@Module({
  imports: [
    ActivityModule,
    BoardModule,
    EpicModule,
    JournalModule,
    LabelModule,
    MilestoneModule,
    PlanArchiveModule,
    RemovalModule,
  ],
  controllers: [ReadGroupRecords, WriteGroupRecords],
})
export class GroupExportModule {}
