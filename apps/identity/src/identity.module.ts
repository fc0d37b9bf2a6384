import { Module } from '@nestjs/common';
import { AccountPagesModule } from './account-pages/account-pages.module';
import { AdministratorModule } from './administrator/administrator.module';
import { ApplicationOperationsModule } from './application/operations/application-operations.module';
import { AuthenticationModule } from './authentication/authentication.module';
import { DeployKeyModule } from './deploy-key/deploy-key.module';
import { DeployTokenModule } from './deploy-token/deploy-token.module';
import { FollowModule } from './follow/follow.module';
import { GpgKeyModule } from './gpg-key/gpg-key.module';
import { OauthEndpointsModule } from './oauth/endpoints/oauth-endpoints.module';
import { RemovalModule } from './removal/removal.module';
import { ResourceTokenModule } from './resource-access-token/resource-token.module';
import { ServiceAccountModule } from './service-account/service-account.module';
import { SignatureModule } from './signature/signature.module';
import { UserOperationsModule } from './user/operations/user-operations.module';
import { VersionOperations } from './version/version.operations';

/** Users, credentials, keys and the OAuth provider. */
@Module({
  imports: [
    AccountPagesModule,
    AdministratorModule,
    ApplicationOperationsModule,
    AuthenticationModule,
    DeployKeyModule,
    DeployTokenModule,
    FollowModule,
    GpgKeyModule,
    OauthEndpointsModule,
    RemovalModule,
    ResourceTokenModule,
    ServiceAccountModule,
    SignatureModule,
    UserOperationsModule,
  ],
  controllers: [VersionOperations],
})
export class IdentityModule {}
