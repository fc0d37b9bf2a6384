import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { Facts } from './facts';
import { FollowEvents } from './follow-events';
import { Subscribers } from './subscribers';

/** What happens in all services, as hooks and integrations are told of it. */
@Module({
  imports: [DeliveryModule],
  providers: [Facts, FollowEvents, Subscribers],
  exports: [Facts, Subscribers],
})
export class EventsModule {}
