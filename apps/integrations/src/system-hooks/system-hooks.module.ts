import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HookModule } from '../hook/hook.module';
import { SystemHookOperations } from './system-hook.operations';
import { TellSystemHooks } from './tell-system-hooks';

/** Hooks of the instance. */
@Module({ imports: [EventsModule, HookModule], controllers: [SystemHookOperations], providers: [TellSystemHooks] })
export class SystemHooksModule {}
