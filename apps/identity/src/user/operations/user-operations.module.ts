import { Module } from '@nestjs/common';
import { AvatarModule } from '../../avatar/avatar.module';
import { CustomAttributes } from '../../custom-attribute/custom-attribute.operations';
import { SessionModule } from '../../session/session.module';
import { UserModule } from '../user.module';
import { ChangeState } from './change-state';
import { CreateUser } from './create-user';
import { DeleteIdentity } from './delete-identity';
import { DeleteUser } from './delete-user';
import { ListUsers } from './list-users';
import { ReadUsers } from './read-users.operations';
import { SearchUsers } from './search-users';
import { UpdateUser } from './update-user';
import { UserCounts } from './user-counts.operations';
import { UserPreferences } from './user-preferences.operations';
import { UserReferences } from './user-references.operations';
import { UserStatuses } from './user-status.operations';

/** What is done with users. */
@Module({
  imports: [AvatarModule, SessionModule, UserModule],
  controllers: [
    ChangeState,
    CreateUser,
    CustomAttributes,
    DeleteIdentity,
    DeleteUser,
    ListUsers,
    ReadUsers,
    SearchUsers,
    UpdateUser,
    UserCounts,
    UserPreferences,
    UserReferences,
    UserStatuses,
  ],
})
export class UserOperationsModule {}
