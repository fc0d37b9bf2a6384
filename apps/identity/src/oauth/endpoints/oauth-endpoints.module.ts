import { Module } from '@nestjs/common';
import { ApplicationModule } from '../../application/application.module';
import { OpenidModule } from '../../openid/openid.module';
import { PageModule } from '../../page/page.module';
import { SessionModule } from '../../session/session.module';
import { SignInModule } from '../../sign-in/sign-in.module';
import { UserModule } from '../../user/user.module';
import { OauthModule } from '../oauth.module';
import { Authorize } from './authorize';
import { GiveAuthorization } from './give-authorization';
import { IssueToken } from './issue-token';
import { TokenEndpoints } from './token-endpoints';

/** The endpoints of OAuth 2.0 and OpenID Connect. */
@Module({
  imports: [ApplicationModule, OauthModule, OpenidModule, PageModule, SessionModule, SignInModule, UserModule],
  controllers: [Authorize, IssueToken, TokenEndpoints],
  providers: [GiveAuthorization],
})
export class OauthEndpointsModule {}
