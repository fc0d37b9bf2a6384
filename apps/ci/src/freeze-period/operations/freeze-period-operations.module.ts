import { Module } from '@nestjs/common';
import { FreezePeriodModule } from '../freeze-period.module';
import { FollowFreezeOwners, FreezePeriodOperations } from './freeze-period.operations';

/** Freeze periods as users see and change them. */
@Module({
  imports: [FreezePeriodModule],
  controllers: [FreezePeriodOperations],
  providers: [FollowFreezeOwners],
})
export class FreezePeriodOperationsModule {}
