import { OutboundPolicies } from '@moothall/outbound';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeliveryModule } from '../delivery/delivery.module';
import { EventsModule } from '../events/events.module';
import { Hooks } from './hook.repository';
import { hookSchema } from './hook.schema';
import { HookViews } from './hook.view';
import { HookDeliveryHandler } from './hook-delivery-handler';
import { HookHistory } from './hook-history';
import { WriteHook } from './write-hook';

/** Hooks of the instance, of projects and of groups. */
@Module({
  imports: [DeliveryModule, EventsModule, MongooseModule.forFeature([{ name: 'Hook', schema: hookSchema }])],
  providers: [HookDeliveryHandler, HookHistory, HookViews, Hooks, OutboundPolicies, WriteHook],
  exports: [HookHistory, HookViews, Hooks, WriteHook],
})
export class HookModule {}
