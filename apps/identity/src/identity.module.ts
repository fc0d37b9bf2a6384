import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EnsureAdministrator } from './administrator/ensure-administrator';
import { AuthenticationOperations } from './authentication/authentication.operations';
import { TokenHolder } from './authentication/token-holder';
import { Usage } from './authentication/usage';
import { CreateToken } from './personal-access-token/create-token';
import { RotateToken } from './personal-access-token/rotate-token';
import { TokenOperations } from './personal-access-token/token.operations';
import { AccessTokens } from './personal-access-token/token.repository';
import { tokenSchema } from './personal-access-token/token.schema';
import { CreateUser } from './user/create-user';
import { DeleteIdentity } from './user/delete-identity';
import { DeleteUser } from './user/delete-user';
import { GhostUser } from './user/ghost-user';
import { ListUsers } from './user/list-users';
import { ReadUsers } from './user/read-users.operations';
import { UpdateUser } from './user/update-user';
import { Users } from './user/user.repository';
import { userSchema } from './user/user.schema';
import { UserViews } from './user/user.view';
import { UserList } from './user/user-list';
import { UserReferences } from './user/user-references.operations';
import { Usernames } from './user/usernames';
import { VersionOperations } from './version/version.operations';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'User', schema: userSchema },
      { name: 'AccessToken', schema: tokenSchema },
    ]),
  ],
  providers: [AccessTokens, GhostUser, TokenHolder, Usage, Usernames, UserList, UserViews, Users],
  controllers: [
    AuthenticationOperations,
    CreateToken,
    CreateUser,
    DeleteIdentity,
    DeleteUser,
    EnsureAdministrator,
    ListUsers,
    ReadUsers,
    RotateToken,
    TokenOperations,
    UpdateUser,
    UserReferences,
    VersionOperations,
  ],
})
export class IdentityModule {}
