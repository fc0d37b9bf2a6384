import { Module } from '@nestjs/common';
import { ProtectionModule } from '../protection/protection.module';
import { RepositoryModule } from '../repository/repository.module';
import { SigningModule } from '../signing/signing.module';
import { GrantAccess } from './grant-access';
import { IssueToken } from './issue-token';

/** Tokens for clients of the registry. */
@Module({
  imports: [ProtectionModule, RepositoryModule, SigningModule],
  controllers: [IssueToken],
  providers: [GrantAccess],
})
export class TokenModule {}
