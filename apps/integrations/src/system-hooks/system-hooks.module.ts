import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HookModule } from '../hook/hook.module';
import { SystemHookOperations } from './system-hook.operations';
import { SystemHookSubscriber } from './system-hook-subscriber';

/** Hooks of the instance. */
@Module({ imports: [EventsModule, HookModule], controllers: [SystemHookOperations], providers: [SystemHookSubscriber] })
export class SystemHooksModule {}
