import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { FollowModule } from './follow/follow.module';
import { ReleaseOperationsModule } from './release/operations/release-operations.module';

/** What projects hand out: releases. */
@Module({ imports: [UsersModule, FollowModule, ReleaseOperationsModule] })
export class DeliveryModule {}
