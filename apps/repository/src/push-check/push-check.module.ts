import { Module } from '@nestjs/common';
import { PushRuleModule } from '../push-rule/push-rule.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { CommitChecks } from './commit-checks';
import { FileChecks } from './file-checks';
import { LfsChecks } from './lfs-checks';
import { PatternMatcher } from './pattern-matcher';
import { PushChecks } from './push-checks';

/** Checks new commits and objects against push rules and Git LFS. */
@Module({
  imports: [PushRuleModule, RecordModule, StorageModule],
  providers: [CommitChecks, FileChecks, LfsChecks, PatternMatcher, PushChecks],
  exports: [PushChecks],
})
export class PushCheckModule {}
