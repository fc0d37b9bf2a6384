import { Mailer } from '@moothall/mail';
import { OutboundPolicies } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { IntegrationsSettings } from '../settings/settings';
import { CircuitBreakers } from './circuit-breakers';
import { Deliverer } from './deliverer';
import { Deliveries } from './deliveries';
import { DeliveryRecords } from './delivery.repository';
import { deliveryPayloadSchema, deliverySchema } from './delivery.schema';
import { DeliveryHandlers } from './delivery-handlers';
import { DeliveryQueues } from './delivery-queue.repository';
import { deliveryQueueSchema } from './delivery-queue.schema';
import { SwitchOff } from './switch-off';
import { TaskSender } from './task-sender';

/** Delivers payloads to subscribers. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Delivery', schema: deliverySchema },
      { name: 'DeliveryPayload', schema: deliveryPayloadSchema },
      { name: 'Line', schema: deliveryQueueSchema },
    ]),
  ],
  providers: [
    DeliveryHandlers,
    Deliverer,
    Deliveries,
    DeliveryRecords,
    TaskSender,
    DeliveryQueues,
    { provide: Mailer, inject: [settingsToken], useFactory: (settings: IntegrationsSettings) => new Mailer(settings) },
    OutboundPolicies,
    SwitchOff,
    { provide: CircuitBreakers, useFactory: () => new CircuitBreakers() },
  ],
  exports: [DeliveryHandlers, Deliverer, Deliveries, DeliveryRecords, DeliveryQueues, Mailer],
})
export class DeliveryModule {}
