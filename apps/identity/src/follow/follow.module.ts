import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { UserModule } from '../user/user.module';
import { FollowUsers } from './follow.operations';
import { Follows } from './follow.repository';
import { followSchema } from './follow.schema';

/** Users who follow other users. */
@Module({
  imports: [UserModule, MongooseModule.forFeature([{ name: 'Follow', schema: followSchema }])],
  controllers: [FollowUsers],
  providers: [Follows],
  exports: [Follows],
})
export class FollowModule {}
