import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FeatureFlagOperations } from './feature-flag.operations';
import { featureFlagSchema } from './feature-flag.schema';
import { FeatureFlags } from './feature-flags';
import { FollowFlagOwners } from './follow-flag-owners';
import { UserListOperations } from './user-list.operations';
import { userListSchema } from './user-list.schema';
import { UserLists } from './user-lists';

/** Feature flags of programs, with their strategies. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'FeatureFlag', schema: featureFlagSchema },
      { name: 'UserList', schema: userListSchema },
    ]),
  ],
  controllers: [FeatureFlagOperations, UserListOperations],
  providers: [FeatureFlags, FollowFlagOwners, UserLists],
})
export class FeatureFlagModule {}
