import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module';
import { BoardModule } from '../board/board.module';
import { EpicModule } from '../epic/epic.module';
import { IssueModule } from '../issue/issue.module';
import { IterationModule } from '../iteration/iteration.module';
import { LabelModule } from '../label/label.module';
import { MergeRequestModule } from '../merge-request/merge-request.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { ParentModule } from '../parent/parent.module';
import { FollowParentTransfers } from './follow-parent-transfers';
import { SettleReferences } from './settle-references';

/** Transfers of projects and groups. */
@Module({
  imports: [
    ActivityModule,
    BoardModule,
    EpicModule,
    IssueModule,
    IterationModule,
    LabelModule,
    MergeRequestModule,
    MilestoneModule,
    ParentModule,
  ],
  providers: [FollowParentTransfers, SettleReferences],
})
export class TransferModule {}
