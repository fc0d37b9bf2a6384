import { Module } from '@nestjs/common';
import { PushModule } from '../push/push.module';
import { StorageModule } from '../storage/storage.module';
import { WikiOperations } from './wiki.operations';

/** Pages of wikis, which are repositories of their own. */
@Module({
  imports: [PushModule, StorageModule],
  controllers: [WikiOperations],
})
export class WikiModule {}
