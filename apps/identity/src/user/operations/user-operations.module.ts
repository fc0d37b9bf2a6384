import { Module } from '@nestjs/common';
import { AvatarModule } from '../../avatar/avatar.module';
import { CustomAttributes } from '../../custom-attribute/custom-attribute.operations';
import { SessionModule } from '../../session/session.module';
import { TwoFactorModule } from '../../two-factor/two-factor.module';
import { UserModule } from '../user.module';
import { ChangeState } from './change-state';
import { CountRecords } from './count-records';
import { CreateUser } from './create-user';
import { DeleteIdentity } from './delete-identity';
import { DeleteUser } from './delete-user';
import { DisableTwoFactor } from './disable-two-factor';
import { ListUsers } from './list-users';
import { ReadUsers } from './read-users.operations';
import { SearchUsers } from './search-users';
import { UpdateOwnProfile } from './update-own-profile';
import { UpdateUser } from './update-user';
import { UserCounts } from './user-counts.operations';
import { UserPreferences } from './user-preferences.operations';
import { UserReferences } from './user-references.operations';
import { UserStatuses } from './user-status.operations';

/** Operations on users. */
@Module({
  imports: [AvatarModule, SessionModule, TwoFactorModule, UserModule],
  controllers: [
    ChangeState,
    CountRecords,
    CreateUser,
    CustomAttributes,
    DeleteIdentity,
    DeleteUser,
    DisableTwoFactor,
    ListUsers,
    ReadUsers,
    SearchUsers,
    UpdateOwnProfile,
    UpdateUser,
    UserCounts,
    UserPreferences,
    UserReferences,
    UserStatuses,
  ],
})
export class UserOperationsModule {}
