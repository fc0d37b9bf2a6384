import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { freezePeriodSchema } from './freeze-period.schema';
import { FreezePeriods } from './freeze-periods';

/** Periods without deployments. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'FreezePeriod', schema: freezePeriodSchema }])],
  providers: [FreezePeriods],
  exports: [FreezePeriods],
})
export class FreezePeriodModule {}
