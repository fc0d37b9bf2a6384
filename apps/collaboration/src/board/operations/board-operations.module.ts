import { Module } from '@nestjs/common';
import { IssuableModule } from '../../issuable/issuable.module';
import { LabelModule } from '../../label/label.module';
import { MilestoneModule } from '../../milestone/milestone.module';
import { ParentModule } from '../../parent/parent.module';
import { BoardModule } from '../board.module';
import { GroupBoards, ProjectBoards } from './board-controller';
import { BoardSubjects } from './board-subjects';
import { BoardViews } from './board-views';

/** Operations on boards. */
@Module({
  imports: [BoardModule, IssuableModule, LabelModule, MilestoneModule, ParentModule],
  providers: [BoardSubjects, BoardViews],
  controllers: [GroupBoards, ProjectBoards],
})
export class BoardOperationsModule {}
