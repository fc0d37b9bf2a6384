import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EventsModule } from '../events/events.module';
import { IntegrationRepository } from './integration.repository';
import { integrationSchema } from './integration.schema';
import { KnownKinds } from './known-kinds';
import { OpenedIntegrations } from './opened-integrations';

/** Integrations of projects. */
@Module({
  imports: [EventsModule, MongooseModule.forFeature([{ name: 'Integration', schema: integrationSchema }])],
  providers: [IntegrationRepository, KnownKinds, OpenedIntegrations],
  exports: [IntegrationRepository, KnownKinds, OpenedIntegrations],
})
export class IntegrationModule {}
