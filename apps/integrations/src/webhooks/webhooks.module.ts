import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HookModule } from '../hook/hook.module';
import { ForgetHooks } from './forget-hooks';
import { GroupHookOperations } from './group-hooks.operations';
import { ProjectHookOperations } from './project-hooks.operations';
import { WebhookTools } from './webhook-operations';
import { WebhookSubscriber } from './webhook-subscriber';

/** Hooks of projects and groups. */
@Module({
  imports: [EventsModule, HookModule],
  controllers: [GroupHookOperations, ProjectHookOperations],
  providers: [ForgetHooks, WebhookSubscriber, WebhookTools],
})
export class WebhooksModule {}
