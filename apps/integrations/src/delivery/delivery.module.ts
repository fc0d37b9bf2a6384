import { Mailer } from '@moothall/mail';
import { OutboundPolicies } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { IntegrationsSettings } from '../settings/settings';
import { CircuitBreakers } from './circuit-breakers';
import { Couriers } from './couriers';
import { Deliverer } from './deliverer';
import { Deliveries } from './deliveries';
import { DeliveryRecords } from './delivery.repository';
import { deliveryPayloadSchema, deliverySchema } from './delivery.schema';
import { ErrandSender } from './errand-sender';
import { Lines } from './line.repository';
import { lineSchema } from './line.schema';
import { SwitchOff } from './switch-off';

/** Brings what subscribers are to be told to their receivers. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Delivery', schema: deliverySchema },
      { name: 'DeliveryPayload', schema: deliveryPayloadSchema },
      { name: 'Line', schema: lineSchema },
    ]),
  ],
  providers: [
    Couriers,
    Deliverer,
    Deliveries,
    DeliveryRecords,
    ErrandSender,
    Lines,
    { provide: Mailer, inject: [settingsToken], useFactory: (settings: IntegrationsSettings) => new Mailer(settings) },
    OutboundPolicies,
    SwitchOff,
    { provide: CircuitBreakers, useFactory: () => new CircuitBreakers() },
  ],
  exports: [Couriers, Deliverer, Deliveries, DeliveryRecords, Lines, Mailer],
})
export class DeliveryModule {}
