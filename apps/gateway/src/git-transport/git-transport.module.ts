import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AnswerModule } from '../answer/answer.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { GitAccessModule } from '../git-access/git-access.module';
import { LfsModule } from '../lfs/lfs.module';
import { SecondaryModule } from '../secondary/secondary.module';
import { GitTransportController } from './git-transport.controller';

/** Git over HTTP, and the addresses beside it. */
@Module({
  imports: [AccessModule, AnswerModule, CredentialsModule, GitAccessModule, LfsModule, SecondaryModule],
  controllers: [GitTransportController],
})
export class GitTransportModule {}
