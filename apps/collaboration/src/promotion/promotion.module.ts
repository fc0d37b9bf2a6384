import { Module } from '@nestjs/common';
import { PromotingGroups } from './promoting-group';

/** Shared code for the promotion and deletion of labels and milestones. */
@Module({ providers: [PromotingGroups], exports: [PromotingGroups] })
export class PromotionModule {}
