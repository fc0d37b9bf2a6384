import { Module } from '@nestjs/common';
import { CopiesModule } from '../copies/copies.module';
import { ProtectionModule } from '../protection/protection.module';
import { PushModule } from '../push/push.module';
import { StorageModule } from '../storage/storage.module';
import { MergeOperations } from './merge.operations';
import { MergeSides } from './merge-sides';
import { PerformMerge } from './perform-merge';
import { RebaseBranch } from './rebase-branch';

/** Git operations of merge requests. */
@Module({
  imports: [CopiesModule, ProtectionModule, PushModule, StorageModule],
  controllers: [MergeOperations, PerformMerge, RebaseBranch],
  providers: [MergeSides],
})
export class MergeModule {}
