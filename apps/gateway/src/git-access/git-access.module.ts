import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CreateOnPush } from './create-on-push';
import { GitAccess } from './git-access';
import { KeyOwners } from './key-owners';

/** Access of git clients, over any transport. */
@Module({
  imports: [AccessModule],
  providers: [CreateOnPush, GitAccess, KeyOwners],
  exports: [CreateOnPush, GitAccess, KeyOwners],
})
export class GitAccessModule {}
