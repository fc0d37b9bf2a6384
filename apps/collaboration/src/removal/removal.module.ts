import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ActivityModule } from '../activity/activity.module';
import { BoardModule } from '../board/board.module';
import { EpicModule } from '../epic/epic.module';
import { IssueModule } from '../issue/issue.module';
import { IssueLinkModule } from '../issue-link/issue-link.module';
import { IterationModule } from '../iteration/iteration.module';
import { LabelModule } from '../label/label.module';
import { MergeRequestModule } from '../merge-request/merge-request.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { NoteableModule } from '../noteable/noteable.module';
import { deletedGroupSchema } from './deleted-group.schema';
import { FollowParentDeletions } from './follow-parent-deletions';
import { FollowUserDeletions } from './follow-user-deletions';

const collections = MongooseModule.forFeature([{ name: 'DeletedGroup', schema: deletedGroupSchema }]);

/** Removal of records with their projects, groups and users. */
@Module({
  imports: [
    collections,
    ActivityModule,
    BoardModule,
    EpicModule,
    IssueModule,
    IssueLinkModule,
    IterationModule,
    LabelModule,
    MergeRequestModule,
    MilestoneModule,
    NoteableModule,
  ],
  providers: [FollowParentDeletions, FollowUserDeletions],
  exports: [FollowParentDeletions],
})
export class RemovalModule {}
