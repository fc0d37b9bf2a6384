import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CreateOnPush } from './create-on-push';
import { GitAccess } from './git-access';
import { KeyHolders } from './key-holders';

/** Who may use git, over any transport. */
@Module({
  imports: [AccessModule],
  providers: [CreateOnPush, GitAccess, KeyHolders],
  exports: [CreateOnPush, GitAccess, KeyHolders],
})
export class GitAccessModule {}
