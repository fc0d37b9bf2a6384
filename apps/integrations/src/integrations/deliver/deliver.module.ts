import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { EventsModule } from '../../events/events.module';
import { IntegrationModule } from '../integration.module';
import { IrkerTasks } from '../irker/irker-tasks';
import { MailTasks } from '../mail/mail-tasks';
import { IntegrationDeliveryHandler } from './integration-delivery-handler';
import { IntegrationSubscriber } from './integration-subscriber';

/** Delivers events to the integrations of projects. */
@Module({
  imports: [DeliveryModule, EventsModule, IntegrationModule],
  providers: [IntegrationDeliveryHandler, IntegrationSubscriber, IrkerTasks, MailTasks, OutboundPolicies],
})
export class DeliverModule {}
