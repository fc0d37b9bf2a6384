import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FilesModule } from '../files/files.module';
import { AppearanceOperations } from './appearance/appearance.operations';
import { appearanceSchema } from './appearance/appearance.schema';
import { ApplicationSettingsOperations } from './application-settings/application-settings.operations';
import { applicationSettingsSchema } from './application-settings/application-settings.schema';
import { InstanceSettings } from './application-settings/instance-settings';
import { broadcastMessageSchema } from './broadcast-message/broadcast-message.schema';
import { BroadcastMessages } from './broadcast-message/broadcast-messages.operations';
import { featureSchema } from './feature/feature.schema';
import { FeaturesOperations } from './feature/features.operations';
import { JobQueuesOperations } from './job-queue/job-queues.operations';
import { SidekiqOperations } from './job-queue/sidekiq.operations';
import { licenseSchema } from './license/license.schema';
import { Licenses } from './license/licenses.operations';
import { PlanLimitsOperations } from './plan-limits/plan-limits.operations';
import { planLimitsSchema } from './plan-limits/plan-limits.schema';

/** Administration of the instance. */
@Module({
  imports: [
    FilesModule,
    MongooseModule.forFeature([
      { name: 'Appearance', schema: appearanceSchema },
      { name: 'ApplicationSettings', schema: applicationSettingsSchema },
      { name: 'BroadcastMessage', schema: broadcastMessageSchema },
      { name: 'Feature', schema: featureSchema },
      { name: 'License', schema: licenseSchema },
      { name: 'PlanLimits', schema: planLimitsSchema },
    ]),
  ],
  controllers: [
    AppearanceOperations,
    ApplicationSettingsOperations,
    BroadcastMessages,
    FeaturesOperations,
    JobQueuesOperations,
    Licenses,
    PlanLimitsOperations,
    SidekiqOperations,
  ],
  providers: [InstanceSettings],
  exports: [InstanceSettings],
})
export class InstanceModule {}
