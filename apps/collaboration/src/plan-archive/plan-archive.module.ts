import { Module } from '@nestjs/common';
import { BoardModule } from '../board/board.module';
import { LabelModule } from '../label/label.module';
import { MilestoneModule } from '../milestone/milestone.module';
import { TakePlan } from './take-plan';

/** Labels, milestones and boards in archives of groups and projects. */
@Module({ imports: [BoardModule, LabelModule, MilestoneModule], providers: [TakePlan], exports: [TakePlan] })
export class PlanArchiveModule {}
