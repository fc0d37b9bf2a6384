import { Global, Module } from '@nestjs/common';
import { UserDirectory } from './user-directory';

/** Gives a service its UserDirectory. */
@Global()
@Module({ providers: [UserDirectory], exports: [UserDirectory] })
export class UsersModule {}
