import { Module } from '@nestjs/common';
import { ApplicationModule } from '../application/application.module';
import { DeployTokenModule } from '../deploy-token/deploy-token.module';
import { OauthModule } from '../oauth/oauth.module';
import { TokenModule } from '../personal-access-token/token.module';
import { SignInModule } from '../sign-in/sign-in.module';
import { SshKeyModule } from '../ssh-key/ssh-key.module';
import { UserModule } from '../user/user.module';
import { AuthenticationOperations } from './authentication.operations';
import { DeployTokenBearer } from './deploy-token-bearer';
import { JobTokenBearer } from './job-token-bearer';
import { NodeBearer } from './node-bearer';
import { TokenBearer } from './token-bearer';
import { Usage } from './usage';

/** Resolves credentials to their bearer. */
@Module({
  imports: [ApplicationModule, DeployTokenModule, OauthModule, SignInModule, SshKeyModule, TokenModule, UserModule],
  controllers: [AuthenticationOperations],
  providers: [DeployTokenBearer, JobTokenBearer, NodeBearer, TokenBearer, Usage],
})
export class AuthenticationModule {}
