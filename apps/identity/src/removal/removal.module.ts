import { Module } from '@nestjs/common';
import { ApplicationModule } from '../application/application.module';
import { AvatarModule } from '../avatar/avatar.module';
import { DeployKeyModule } from '../deploy-key/deploy-key.module';
import { DeployTokenModule } from '../deploy-token/deploy-token.module';
import { FollowModule } from '../follow/follow.module';
import { GpgKeyModule } from '../gpg-key/gpg-key.module';
import { OauthModule } from '../oauth/oauth.module';
import { TokenModule } from '../personal-access-token/token.module';
import { ResourceTokenModule } from '../resource-access-token/resource-token.module';
import { ServiceAccountModule } from '../service-account/service-account.module';
import { SessionModule } from '../session/session.module';
import { SshKeyModule } from '../ssh-key/ssh-key.module';
import { AfterDeletions } from './after-deletions';

/** Removal of records after a user, project or group is deleted. */
@Module({
  imports: [
    ApplicationModule,
    AvatarModule,
    DeployKeyModule,
    DeployTokenModule,
    FollowModule,
    GpgKeyModule,
    OauthModule,
    ResourceTokenModule,
    ServiceAccountModule,
    SessionModule,
    SshKeyModule,
    TokenModule,
  ],
  providers: [AfterDeletions],
})
export class RemovalModule {}
