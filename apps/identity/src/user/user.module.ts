import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { GhostUser } from './ghost-user';
import { LastAdministrator } from './last-administrator';
import { Users } from './user.repository';
import { userSchema } from './user.schema';
import { UserViews } from './user.view';
import { UserList } from './user-list';
import { Usernames } from './usernames';

/** Storage and views of users. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'User', schema: userSchema }])],
  providers: [GhostUser, LastAdministrator, UserList, UserViews, Usernames, Users],
  exports: [GhostUser, LastAdministrator, UserList, UserViews, Usernames, Users],
})
export class UserModule {}
