import { Module } from '@nestjs/common';
import { TokenModule } from '../personal-access-token/token.module';
import { UserModule } from '../user/user.module';
import { ResourceBots } from './resource-bots';
import { GroupTokens, ProjectTokens } from './resource-token.operations';

/** Tokens of projects and groups, and the users that they act as. */
@Module({
  imports: [TokenModule, UserModule],
  controllers: [GroupTokens, ProjectTokens],
  providers: [ResourceBots],
  exports: [ResourceBots],
})
export class ResourceTokenModule {}
