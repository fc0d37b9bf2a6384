import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery/delivery.module';
import { FeedModule } from './feed/feed.module';
import { DeliverModule } from './integrations/deliver/deliver.module';
import { IntegrationOperationsModule } from './integrations/operations/integration-operations.module';
import { StatusCheckModule } from './status-check/status-check.module';
import { SystemHooksModule } from './system-hooks/system-hooks.module';
import { TodosModule } from './todos/todos.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** Delivers events to other systems and users: hooks, integrations, to-dos and the activity feed. */
@Module({
  imports: [
    UsersModule,
    DeliverModule,
    DeliveryModule,
    FeedModule,
    IntegrationOperationsModule,
    StatusCheckModule,
    SystemHooksModule,
    TodosModule,
    WebhooksModule,
  ],
})
export class IntegrationsServiceModule {}
