export { callerOf } from './caller-of';
export { UserDirectory, type UserRecord } from './user-directory';
export { UsersModule } from './users.module';
