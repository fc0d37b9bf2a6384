import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { GitAccess } from './git-access';
import { KeyHolders } from './key-holders';

/** Who may use git, by whatever transport. */
@Module({
  imports: [AccessModule],
  providers: [GitAccess, KeyHolders],
  exports: [GitAccess, KeyHolders],
})
export class GitAccessModule {}
