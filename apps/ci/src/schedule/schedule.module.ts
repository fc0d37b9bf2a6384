import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PipelineModule } from '../pipeline/pipeline.module';
import { ArchivedSchedules } from './archived-schedules';
import { ChangeSchedule } from './change-schedule';
import { CreateSchedule } from './create-schedule';
import { PlaySchedule } from './play-schedule';
import { ReadSchedules } from './read-schedules';
import { Schedules } from './schedule.repository';
import { scheduleSchema } from './schedule.schema';
import { ScheduleViews } from './schedule.view';
import { ScheduleVariables } from './schedule-variables.operations';

/** Pipeline schedules and their variables. */
@Module({
  imports: [PipelineModule, MongooseModule.forFeature([{ name: 'PipelineSchedule', schema: scheduleSchema }])],
  controllers: [ArchivedSchedules, ReadSchedules, CreateSchedule, ChangeSchedule, PlaySchedule, ScheduleVariables],
  providers: [ScheduleViews, Schedules],
  exports: [Schedules],
})
export class ScheduleModule {}
