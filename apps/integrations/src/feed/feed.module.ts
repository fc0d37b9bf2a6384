import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Activities } from './activity.repository';
import { activitySchema } from './activity.schema';
import { ActivityList } from './activity-list';
import { ListActivities } from './list-activities';
import { RecordActivities } from './record-activities';

/** Activities of users, as `/events` lists them. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Activity', schema: activitySchema }])],
  controllers: [ListActivities],
  providers: [Activities, ActivityList, RecordActivities],
})
export class FeedModule {}
