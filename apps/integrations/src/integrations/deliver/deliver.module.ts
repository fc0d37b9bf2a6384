import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { EventsModule } from '../../events/events.module';
import { IntegrationModule } from '../integration.module';
import { IrkerErrands } from '../irker/irker-errands';
import { MailErrands } from '../mail/mail-errands';
import { IntegrationCourier } from './integration-courier';
import { IntegrationSubscriber } from './integration-subscriber';

/** What happens in projects reaches the systems that they are connected with. */
@Module({
  imports: [DeliveryModule, EventsModule, IntegrationModule],
  providers: [IntegrationCourier, IntegrationSubscriber, IrkerErrands, MailErrands, OutboundPolicies],
})
export class DeliverModule {}
