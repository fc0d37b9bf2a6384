import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { EventsModule } from '../../events/events.module';
import { IntegrationModule } from '../integration.module';
import { IrkerTasks } from '../irker/irker-tasks';
import { MailTasks } from '../mail/mail-tasks';
import { IntegrationDeliveryHandler } from './integration-delivery-handler';
import { IntegrationSubscriber } from './integration-subscriber';

/** What happens in projects reaches the systems that they are connected with. */
@Module({
  imports: [DeliveryModule, EventsModule, IntegrationModule],
  providers: [IntegrationDeliveryHandler, IntegrationSubscriber, IrkerTasks, MailTasks, OutboundPolicies],
})
export class DeliverModule {}
