import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { ActingUser } from './acting-user';

/** The people behind records, and what is done in their name. */
@Module({
  imports: [UsersModule],
  providers: [ActingUser],
  exports: [ActingUser],
})
export class UserModule {}
