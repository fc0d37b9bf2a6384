import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { MaintenanceModule } from '../maintenance/maintenance.module';
import { ProtectionModule } from '../protection/protection.module';
import { PushCheckModule } from '../push-check/push-check.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { CodeWriter } from './code-writer';
import { PushPublisher } from './publish-push';
import { PushJournal } from './push-journal';
import { UnfinishedPushes } from './unfinished-push.repository';
import { unfinishedPushSchema } from './unfinished-push.schema';

/** Publishes events of every change of refs, by git or by the API. */
@Module({
  imports: [
    MaintenanceModule,
    MongooseModule.forFeature([{ name: 'PushIntent', schema: unfinishedPushSchema }]),
    ProtectionModule,
    PushCheckModule,
    RecordModule,
    StorageModule,
  ],
  providers: [CodeWriter, PushPublisher, UnfinishedPushes, PushJournal],
  exports: [CodeWriter, UnfinishedPushes, PushJournal],
})
export class PushModule {}
