import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { IntegrationModule } from '../integration.module';
import { FollowProjects } from './follow-projects';
import { IntegrationOperations } from './integration.operations';
import { SetIntegration } from './set-integration';

/** Operations on integrations, for maintainers. */
@Module({
  imports: [DeliveryModule, IntegrationModule],
  controllers: [IntegrationOperations],
  providers: [FollowProjects, OutboundPolicies, SetIntegration],
})
export class IntegrationOperationsModule {}
