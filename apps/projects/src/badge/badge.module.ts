import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ProjectModule } from '../project/project.module';
import { Badges } from './badge.repository';
import { badgeSchema } from './badge.schema';
import { ReadBadgeValues } from './badge-values';
import { GroupBadges } from './group-badges.operations';
import { ProjectBadges } from './project-badges.operations';

/** Badges of projects and groups. */
@Module({
  imports: [ProjectModule, MongooseModule.forFeature([{ name: 'Badge', schema: badgeSchema }])],
  controllers: [GroupBadges, ProjectBadges],
  providers: [Badges, ReadBadgeValues],
  exports: [Badges],
})
export class BadgeModule {}
