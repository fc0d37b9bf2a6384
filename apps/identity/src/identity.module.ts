import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EnsureAdministrator } from './administrator/ensure-administrator';
import { AfterDeletions } from './after-deletions';
import { AuthenticationOperations } from './authentication/authentication.operations';
import { TokenHolder } from './authentication/token-holder';
import { Usage } from './authentication/usage';
import { CustomAttributes } from './custom-attribute/custom-attribute.operations';
import { AccessibleKeys } from './deploy-key/accessible';
import { AddDeployKey } from './deploy-key/add-deploy-key';
import { DeployKeyOperations } from './deploy-key/deploy-key.operations';
import { DeployKeys } from './deploy-key/deploy-key.repository';
import { EmailOperations } from './email/email.operations';
import { ImpersonationTokens } from './impersonation-token/impersonation-token.operations';
import { CreateToken } from './personal-access-token/create-token';
import { RotateToken } from './personal-access-token/rotate-token';
import { TokenOperations } from './personal-access-token/token.operations';
import { AccessTokens } from './personal-access-token/token.repository';
import { tokenSchema } from './personal-access-token/token.schema';
import { ProjectBots } from './project-access-token/project-bot';
import { ProjectTokens } from './project-access-token/project-token.operations';
import { FindKey } from './ssh-key/find-key';
import { SshKeys } from './ssh-key/ssh-key.repository';
import { sshKeySchema } from './ssh-key/ssh-key.schema';
import { UserKeys } from './ssh-key/user-keys.operations';
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
import { ChangeState } from './user-state/change-state';
import { VersionOperations } from './version/version.operations';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'User', schema: userSchema },
      { name: 'AccessToken', schema: tokenSchema },
      { name: 'SshKey', schema: sshKeySchema },
    ]),
  ],
  providers: [
    AccessibleKeys,
    AccessTokens,
    AfterDeletions,
    DeployKeys,
    GhostUser,
    ProjectBots,
    SshKeys,
    TokenHolder,
    Usage,
    Usernames,
    UserList,
    UserViews,
    Users,
  ],
  controllers: [
    AddDeployKey,
    ChangeState,
    CustomAttributes,
    DeployKeyOperations,
    EmailOperations,
    FindKey,
    ImpersonationTokens,
    ProjectTokens,
    UserKeys,
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
