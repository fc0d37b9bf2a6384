import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { ActingUser } from './acting-user';

/** Users behind records, and actions in their name. */
@Module({
  imports: [UsersModule],
  providers: [ActingUser],
  exports: [ActingUser],
})
export class UserModule {}
