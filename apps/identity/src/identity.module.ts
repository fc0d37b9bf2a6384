import { Mailer } from '@moothall/mail';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EnsureAdministrator } from './administrator/ensure-administrator';
import { Applications } from './application/application.repository';
import { applicationSchema } from './application/application.schema';
import { ApplicationOperations } from './application/operations/application.operations';
import { ApplicationPages } from './application/pages/application-pages';
import { AuthenticationOperations } from './authentication/authentication.operations';
import { JobTokenHolder } from './authentication/job-token-holder';
import { TokenHolder } from './authentication/token-holder';
import { Usage } from './authentication/usage';
import { Avatars, avatarSchema } from './avatar/avatar';
import { GetAvatar } from './avatar/get-avatar';
import { CustomAttributes } from './custom-attribute/custom-attribute.operations';
import { AccessibleKeys } from './deploy-key/accessible';
import { AddDeployKey } from './deploy-key/add-deploy-key';
import { DeployKeyOperations } from './deploy-key/deploy-key.operations';
import { DeployKeys } from './deploy-key/deploy-key.repository';
import { ConfirmationPage } from './email/confirmation-page';
import { EmailOperations } from './email/email.operations';
import { ImpersonationTokens } from './impersonation-token/impersonation-token.operations';
import { AccountMails } from './mail/account-mails';
import { MailTokens } from './mail/mail-token.repository';
import { mailTokenSchema } from './mail/mail-token.schema';
import { AuthorizationCodes } from './oauth/authorization-code.repository';
import { authorizationCodeSchema } from './oauth/authorization-code.schema';
import { Authorize } from './oauth/endpoints/authorize';
import { GiveAuthorization } from './oauth/endpoints/give-authorization';
import { IssueToken } from './oauth/endpoints/issue-token';
import { TokenEndpoints } from './oauth/endpoints/token-endpoints';
import { OauthTokens } from './oauth/oauth-token.repository';
import { oauthTokenSchema } from './oauth/oauth-token.schema';
import { Claims } from './openid/claims';
import { IdTokens } from './openid/id-token';
import { OpenidOperations } from './openid/openid.operations';
import { SigningKeys, signingKeySchema } from './openid/signing-key';
import { PlacePage } from './page/place-page';
import { Places } from './page/places';
import { SignedIn } from './page/signed-in';
import { PasswordPages } from './password/pages/password-pages';
import { ResetPages } from './password/pages/reset-pages';
import { CreateToken } from './personal-access-token/create-token';
import { RotateToken } from './personal-access-token/rotate-token';
import { TokenOperations } from './personal-access-token/token.operations';
import { AccessTokens } from './personal-access-token/token.repository';
import { tokenSchema } from './personal-access-token/token.schema';
import { ProjectBots } from './project-access-token/project-bot';
import { ProjectTokens } from './project-access-token/project-token.operations';
import { AfterDeletions } from './removal/after-deletions';
import { Browsers } from './session/browser';
import { Sessions } from './session/session.repository';
import { sessionSchema } from './session/session.schema';
import type { IdentitySettings } from './settings/settings';
import { CheckPassword } from './sign-in/check-password';
import { SecondFactorPages } from './sign-in/pages/second-factor-pages';
import { SignInPages } from './sign-in/pages/sign-in-pages';
import { SignInLimit } from './sign-in/sign-in-limit';
import { FindKey } from './ssh-key/find-key';
import { SshKeys } from './ssh-key/ssh-key.repository';
import { sshKeySchema } from './ssh-key/ssh-key.schema';
import { UserKeys } from './ssh-key/user-keys.operations';
import { TwoFactorPages } from './two-factor/pages/two-factor-pages';
import { TwoFactors } from './two-factor/two-factor';
import { GhostUser } from './user/ghost-user';
import { LastAdministrator } from './user/last-administrator';
import { ChangeState } from './user/operations/change-state';
import { CreateUser } from './user/operations/create-user';
import { DeleteIdentity } from './user/operations/delete-identity';
import { DeleteUser } from './user/operations/delete-user';
import { ListUsers } from './user/operations/list-users';
import { ReadUsers } from './user/operations/read-users.operations';
import { UpdateUser } from './user/operations/update-user';
import { UserReferences } from './user/operations/user-references.operations';
import { Users } from './user/user.repository';
import { userSchema } from './user/user.schema';
import { UserViews } from './user/user.view';
import { UserList } from './user/user-list';
import { Usernames } from './user/usernames';
import { VersionOperations } from './version/version.operations';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'User', schema: userSchema },
      { name: 'AccessToken', schema: tokenSchema },
      { name: 'SshKey', schema: sshKeySchema },
      { name: 'Application', schema: applicationSchema },
      { name: 'OauthToken', schema: oauthTokenSchema },
      { name: 'AuthorizationCode', schema: authorizationCodeSchema },
      { name: 'SigningKey', schema: signingKeySchema },
      { name: 'Session', schema: sessionSchema },
      { name: 'MailToken', schema: mailTokenSchema },
      { name: 'Avatar', schema: avatarSchema },
    ]),
  ],
  providers: [
    AccessTokens,
    AccessibleKeys,
    AccountMails,
    AfterDeletions,
    Applications,
    AuthorizationCodes,
    Avatars,
    Browsers,
    CheckPassword,
    Claims,
    DeployKeys,
    GhostUser,
    GiveAuthorization,
    IdTokens,
    MailTokens,
    { provide: Mailer, inject: [settingsToken], useFactory: (settings: IdentitySettings) => new Mailer(settings) },
    OauthTokens,
    Places,
    ProjectBots,
    Sessions,
    SignInLimit,
    SignedIn,
    SigningKeys,
    SshKeys,
    JobTokenHolder,
    LastAdministrator,
    TokenHolder,
    TwoFactors,
    Usage,
    UserList,
    UserViews,
    Usernames,
    Users,
  ],
  controllers: [
    AddDeployKey,
    ApplicationOperations,
    ApplicationPages,
    AuthenticationOperations,
    Authorize,
    ChangeState,
    ConfirmationPage,
    CreateToken,
    CreateUser,
    CustomAttributes,
    DeleteIdentity,
    DeleteUser,
    DeployKeyOperations,
    EmailOperations,
    EnsureAdministrator,
    FindKey,
    GetAvatar,
    ImpersonationTokens,
    IssueToken,
    ListUsers,
    OpenidOperations,
    PasswordPages,
    PlacePage,
    ProjectTokens,
    ReadUsers,
    ResetPages,
    RotateToken,
    SecondFactorPages,
    SignInPages,
    TokenEndpoints,
    TokenOperations,
    TwoFactorPages,
    UpdateUser,
    UserKeys,
    UserReferences,
    VersionOperations,
  ],
})
export class IdentityModule {}
