import { Module } from '@nestjs/common';
import { PromotingGroups } from './promoting-group';

/** What labels and milestones have alike when they become those of a group, or go. */
@Module({ providers: [PromotingGroups], exports: [PromotingGroups] })
export class PromotionModule {}
