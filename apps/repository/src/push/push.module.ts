import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { MaintenanceModule } from '../maintenance/maintenance.module';
import { ProtectionModule } from '../protection/protection.module';
import { PushCheckModule } from '../push-check/push-check.module';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { PushAnnouncer } from './announce-push';
import { CodeWriter } from './code-writer';
import { PushIntents } from './push-intent.repository';
import { pushIntentSchema } from './push-intent.schema';
import { PushJournal } from './push-journal';

/** Publishes events of every change of refs, by git or by the API. */
@Module({
  imports: [
    MaintenanceModule,
    MongooseModule.forFeature([{ name: 'PushIntent', schema: pushIntentSchema }]),
    ProtectionModule,
    PushCheckModule,
    RecordModule,
    StorageModule,
  ],
  providers: [CodeWriter, PushAnnouncer, PushIntents, PushJournal],
  exports: [CodeWriter, PushIntents, PushJournal],
})
export class PushModule {}
