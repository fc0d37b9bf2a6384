import { Module } from '@nestjs/common';
import { TokenModule } from '../personal-access-token/token.module';
import { UserModule } from '../user/user.module';
import { ResourceBots } from './resource-bots';
import { GroupTokens, ProjectTokens } from './resource-token.operations';

/** Access tokens of projects and groups, and their bot users. */
@Module({
  imports: [TokenModule, UserModule],
  controllers: [GroupTokens, ProjectTokens],
  providers: [ResourceBots],
  exports: [ResourceBots],
})
export class ResourceTokenModule {}
