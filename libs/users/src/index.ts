export { UserDirectory, type UserRecord } from './user-directory';
export { UsersModule } from './users.module';
