import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { Facts } from './facts';
import { FollowEvents } from './follow-events';
import { Silence } from './silence';
import { Subscribers } from './subscribers';

/** What happens in all services, as hooks and integrations are told of it. */
@Module({
  imports: [DeliveryModule],
  providers: [Facts, FollowEvents, Silence, Subscribers],
  exports: [Facts, Silence, Subscribers],
})
export class EventsModule {}
