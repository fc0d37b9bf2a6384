import { Module } from '@nestjs/common';
import { TokenModule } from '../personal-access-token/token.module';
import { UserModule } from '../user/user.module';
import { ProjectBots } from './project-bot';
import { ProjectTokens } from './project-token.operations';

/** Tokens of projects, and the users that they act as. */
@Module({
  imports: [TokenModule, UserModule],
  controllers: [ProjectTokens],
  providers: [ProjectBots],
  exports: [ProjectBots],
})
export class ProjectTokenModule {}
