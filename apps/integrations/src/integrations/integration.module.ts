import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IntegrationRepository } from './integration.repository';
import { integrationSchema } from './integration.schema';
import { KnownKinds } from './known-kinds';
import { OpenedIntegrations } from './opened-integrations';

/** How projects are connected with other systems. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Integration', schema: integrationSchema }])],
  providers: [IntegrationRepository, KnownKinds, OpenedIntegrations],
  exports: [IntegrationRepository, KnownKinds, OpenedIntegrations],
})
export class IntegrationModule {}
