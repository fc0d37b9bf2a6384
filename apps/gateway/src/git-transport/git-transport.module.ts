import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AnswerModule } from '../answer/answer.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { GitAccess } from './git-access';
import { GitTransportController } from './git-transport.controller';

/** git over HTTP, and who may use it by whatever transport. */
@Module({
  imports: [AccessModule, AnswerModule, CredentialsModule],
  controllers: [GitTransportController],
  providers: [GitAccess],
  exports: [GitAccess],
})
export class GitTransportModule {}
