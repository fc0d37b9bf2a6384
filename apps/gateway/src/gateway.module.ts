import { DataPort, MetricsPort } from '@moothall/data-port';
import { unattended } from '@moothall/logging';
import { KnownSettings, listen, MessagingModule, natsConnection, type ParcelStore } from '@moothall/messaging';
import { type DynamicModule, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { Redis } from 'ioredis';
import type { NatsConnection } from 'nats';
import { AccessGuard } from './access/access.guard';
import { ResourceResolver } from './access/resource-resolver';
import { Unmodified } from './access/unmodified';
import { ResourcePages } from './answer/resource-pages';
import { BodyAdmission } from './bodies/body-admission';
import { FileLimits } from './bodies/file-limits';
import { MultipartBodies } from './bodies/multipart-bodies';
import { Authenticator } from './credentials/authenticator';
import { Callers } from './credentials/callers';
import { BasicStrategy, BearerStrategy, JobTokenStrategy, PrivateTokenStrategy } from './credentials/strategies';
import { GitAccess } from './git-transport/git-access';
import { GitTransportController } from './git-transport/git-transport.controller';
import { HealthController } from './health/health.controller';
import { GatewayMetrics } from './health/metrics';
import { HomeController } from './home/home.controller';
import { BodyBudget } from './limits/body-budget';
import { CallerShares } from './limits/caller-shares';
import { RateLimits } from './limits/rate-limits';
import { redis } from './limits/redis';
import { InputReader } from './parameters/input-reader';
import { ReferenceController } from './reference/reference.controller';
import { generatedControllers } from './routes/generated-controllers';
import { RequestPipeline } from './routes/request-pipeline';
import { type GatewaySettings, gatewaySettingsToken } from './settings/settings';
import { SshKeyAuthenticator } from './ssh/authenticate-key';
import { SshServer } from './ssh/ssh-server';
import { SshSessions } from './ssh/ssh-session';
import { UploadSpool } from './uploads/spool';

interface Parts {
  settings: GatewaySettings;
  /** Requests that each limit allows, by its setting. */
  rateLimits: Record<string, number>;
  connection: NatsConnection;
  dataPort: DataPort;
  metricsPort: MetricsPort;
  parcels: ParcelStore;
}

const log = new Logger('gateway');

/** Lets the caches hear what changes, and forget all after a gap in which they could not hear. */
@Injectable()
class CacheInvalidation implements OnApplicationShutdown {
  private readonly stop: () => void;

  constructor(
    @Inject(natsConnection) connection: NatsConnection,
    authenticator: Authenticator,
    resources: ResourceResolver,
    fileLimits: FileLimits,
  ) {
    this.stop = listen(connection, ['identity.>', 'projects.>'], (event) => {
      authenticator.hear(event);
      resources.hear(event);
      fileLimits.hear(event);
    });
    unattended('caches', this.forgetAfterGaps(connection, [authenticator, resources, fileLimits]));
  }

  private async forgetAfterGaps(connection: NatsConnection, caches: { forgetAll(): void }[]): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'reconnect' || status.type === 'disconnect') for (const cache of caches) cache.forgetAll();
    }
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}

/** Those who ask hear that it is away. */
function openRedis(url: string): Redis {
  const client = new Redis(url, { lazyConnect: true });
  client.on('error', (error: Error) => log.warn(`Redis: ${error.message}`));
  return client;
}

@Injectable()
class RedisCloser implements OnApplicationShutdown {
  constructor(@Inject(redis) private readonly client: Redis) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.quit();
  }
}

@Module({})
class GatewayModule {}

export function gatewayModule({
  settings,
  rateLimits,
  connection,
  dataPort,
  metricsPort,
  parcels,
}: Parts): DynamicModule {
  return {
    module: GatewayModule,
    imports: [PassportModule, MessagingModule.forService({ service: 'gateway', connection, parcels })],
    // Paths of git end in anything, so they are looked at last.
    controllers: [
      HealthController,
      HomeController,
      ReferenceController,
      ...generatedControllers(),
      GitTransportController,
    ],
    providers: [
      { provide: gatewaySettingsToken, useValue: settings },
      { provide: DataPort, useValue: dataPort },
      { provide: MetricsPort, useValue: metricsPort },
      { provide: redis, useFactory: () => openRedis(settings.REDIS_URL) },
      {
        provide: RateLimits,
        inject: [redis, KnownSettings],
        useFactory: (client: Redis, instance: KnownSettings) => new RateLimits(client, rateLimits, instance),
      },
      { provide: BodyBudget, useValue: new BodyBudget(settings.MAX_BODIES) },
      { provide: CallerShares, useValue: new CallerShares(settings.SLOW_REQUESTS_PER_CALLER) },
      AccessGuard,
      Authenticator,
      BasicStrategy,
      BearerStrategy,
      BodyAdmission,
      CacheInvalidation,
      Callers,
      FileLimits,
      GatewayMetrics,
      GitAccess,
      InputReader,
      ResourcePages,
      JobTokenStrategy,
      PrivateTokenStrategy,
      RedisCloser,
      MultipartBodies,
      RequestPipeline,
      SshKeyAuthenticator,
      SshServer,
      SshSessions,
      ResourceResolver,
      Unmodified,
      UploadSpool,
    ],
  };
}
