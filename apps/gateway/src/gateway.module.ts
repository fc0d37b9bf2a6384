import { BrowserUsers, invalidateCaches, ResourceResolver } from '@moothall/access';
import { DataPort } from '@moothall/data-port';
import {
  type LargeMessageStore,
  MessagingModule,
  natsConnection,
  OperationClient,
  RecordsClient,
  servesCopies,
} from '@moothall/messaging';
import { MetricsPort } from '@moothall/processes';
import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { NatsConnection } from 'nats';
import { AccessModule } from './access/access.module';
import { BodiesModule } from './bodies/bodies.module';
import { FileLimits } from './bodies/file-limits';
import { Authenticator } from './credentials/authenticator';
import { CredentialsModule } from './credentials/credentials.module';
import { GitTransportModule } from './git-transport/git-transport.module';
import { GraphqlModule } from './graphql/graphql.module';
import { HealthModule } from './health/health.module';
import { HomeModule } from './home/home.module';
import { LimitsModule } from './limits/limits.module';
import { ReferenceModule } from './reference/reference.module';
import { ResetModule } from './reset/reset.module';
import { RoutesModule } from './routes/routes.module';
import { type GatewaySettings, gatewaySettingsToken } from './settings/settings';
import { SshModule } from './ssh/ssh.module';

interface Parts {
  settings: GatewaySettings;
  /** Number of requests that each limit allows, by its setting. */
  rateLimits: Record<string, number>;
  connection: NatsConnection;
  dataPort: DataPort;
  metricsPort: MetricsPort;
  largeMessages: LargeMessageStore;
}

/** Connects the caches to events, and empties them after a gap in the connection. */
@Injectable()
class CacheInvalidation implements OnApplicationShutdown {
  private readonly stop: () => void;

  constructor(
    @Inject(natsConnection) connection: NatsConnection,
    authenticator: Authenticator,
    browsers: BrowserUsers,
    resources: ResourceResolver,
    fileLimits: FileLimits,
  ) {
    this.stop = invalidateCaches(connection, [authenticator, browsers, resources, fileLimits]);
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}

@Module({})
class RuntimeModule {}

/** The providers that every module of the gateway uses. */
function runtimeModule({ settings, dataPort, metricsPort }: Parts): DynamicModule {
  const providers = [
    { provide: gatewaySettingsToken, useValue: settings },
    { provide: DataPort, useValue: dataPort },
    { provide: MetricsPort, useValue: metricsPort },
    {
      provide: RecordsClient,
      inject: [OperationClient],
      useFactory: (client: OperationClient) => new RecordsClient(client, servesCopies(settings)),
    },
  ];
  return { module: RuntimeModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
}

@Module({})
class GatewayModule {}

export function gatewayModule(parts: Parts): DynamicModule {
  const { settings, rateLimits, connection, largeMessages } = parts;
  return {
    module: GatewayModule,
    imports: [
      runtimeModule(parts),
      MessagingModule.forService({ service: 'gateway', connection, largeMessages }),
      LimitsModule.forGateway(settings, rateLimits),
      AccessModule,
      BodiesModule,
      CredentialsModule,
      GraphqlModule,
      HealthModule,
      HomeModule,
      ReferenceModule,
      ResetModule.forServer(settings.RESETTABLE),
      RoutesModule,
      // Last, because paths of git match anything.
      SshModule,
      GitTransportModule,
    ],
    providers: [CacheInvalidation],
  };
}
