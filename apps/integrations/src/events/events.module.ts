import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { ConsumeEvents } from './consume-events';
import { Facts } from './facts';
import { SubscriberCache } from './subscriber-cache';
import { Subscribers } from './subscribers';

/** Events of all services, as hooks and integrations receive them. */
@Module({
  imports: [DeliveryModule],
  providers: [Facts, ConsumeEvents, SubscriberCache, Subscribers],
  exports: [Facts, SubscriberCache, Subscribers],
})
export class EventsModule {}
