import { Module } from '@nestjs/common';
import { ProtectionModule } from '../protection/protection.module';
import { PushModule } from '../push/push.module';
import { PushCheckModule } from '../push-check/push-check.module';
import { StorageModule } from '../storage/storage.module';
import { GitExchangeOperations } from './git-exchange.operations';
import { MergeRequestNotices } from './merge-request-notices';

/** git over HTTP and SSH. */
@Module({
  imports: [ProtectionModule, PushModule, PushCheckModule, StorageModule],
  providers: [MergeRequestNotices],
  controllers: [GitExchangeOperations],
})
export class TransportModule {}
