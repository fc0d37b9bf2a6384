import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ParentModule } from '../parent/parent.module';
import { PromotionModule } from '../promotion/promotion.module';
import { GroupMilestones } from './group-milestones';
import { Milestones } from './milestone.repository';
import { milestoneSchema } from './milestone.schema';
import { MilestoneReferences } from './milestone-references';
import { MilestoneViews } from './milestone-views';
import { ProjectMilestones } from './project-milestones';
import { PromoteMilestone } from './promote-milestone';
import { SearchMilestones } from './search-milestones';

const collections = MongooseModule.forFeature([{ name: 'Milestone', schema: milestoneSchema }]);

@Module({
  imports: [collections, PromotionModule, ParentModule],
  providers: [MilestoneReferences, Milestones, MilestoneViews],
  controllers: [SearchMilestones, GroupMilestones, ProjectMilestones, PromoteMilestone],
  exports: [collections, MilestoneReferences, Milestones, MilestoneViews],
})
export class MilestoneModule {}
