import { Global, Module } from '@nestjs/common';
import { UserDirectory } from './user-directory';

/** Provides the UserDirectory to a service. */
@Global()
@Module({ providers: [UserDirectory], exports: [UserDirectory] })
export class UsersModule {}
