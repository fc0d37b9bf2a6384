import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { FollowModule } from './follow/follow.module';
import { PackageOperationsModule } from './package/operations/package-operations.module';
import { ReleaseOperationsModule } from './release/operations/release-operations.module';

/** What projects hand out: releases and packages. */
@Module({ imports: [UsersModule, FollowModule, PackageOperationsModule, ReleaseOperationsModule] })
export class DeliveryModule {}
