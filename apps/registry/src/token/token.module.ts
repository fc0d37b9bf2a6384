import { Module } from '@nestjs/common';
import { RepositoryModule } from '../repository/repository.module';
import { GrantAccess } from './grant-access';
import { IssueToken } from './issue-token';
import { TokenKey } from './token-key';

/** Tokens for the registry. */
@Module({
  imports: [RepositoryModule],
  controllers: [IssueToken],
  providers: [GrantAccess, TokenKey],
  exports: [TokenKey],
})
export class TokenModule {}
