import { BrowserUsers } from '@moothall/access';
import { OperationClient } from '@moothall/messaging';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { Authenticator } from './authenticator';
import { BrowserSession } from './browser-session';
import { Callers } from './callers';
import {
  BasicStrategy,
  BearerStrategy,
  DeployTokenStrategy,
  JobTokenStrategy,
  PrivateTokenStrategy,
} from './strategies';

/** The caller, and whether its credential is valid. */
@Module({
  imports: [PassportModule],
  providers: [
    Authenticator,
    BasicStrategy,
    BearerStrategy,
    BrowserSession,
    {
      provide: BrowserUsers,
      inject: [OperationClient],
      useFactory: (client: OperationClient) => new BrowserUsers(client),
    },
    Callers,
    DeployTokenStrategy,
    JobTokenStrategy,
    PrivateTokenStrategy,
  ],
  exports: [Authenticator, BrowserSession, BrowserUsers, Callers],
})
export class CredentialsModule {}
