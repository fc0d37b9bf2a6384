import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { freezePeriodSchema } from './freeze-period.schema';
import { FreezePeriods } from './freeze-periods';

/** When nothing is to be deployed. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'FreezePeriod', schema: freezePeriodSchema }])],
  providers: [FreezePeriods],
  exports: [FreezePeriods],
})
export class FreezePeriodModule {}
