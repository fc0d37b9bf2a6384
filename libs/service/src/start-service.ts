import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { readEnv, type Settings, type SettingValues } from '@moothall/config';
import { DataPort, UploadedFiles } from '@moothall/data-port';
import { DatabaseModule, databaseRefusal, Indexes, type Migration, SealedFieldsModule } from '@moothall/database';
import { JobRunner, JobsModule, type JobsOptions } from '@moothall/jobs';
import { createLogger, JsonLogger } from '@moothall/logging';
import {
  connectNats,
  EventFollower,
  type EventStreamOptions,
  ensureEventStream,
  LargeMessageStore,
  MessagingModule,
  OperationClient,
  OperationErrorFilter,
  OperationServer,
  securityOf,
} from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { followsForNothing, openTracer, requestOfLine, Works } from '@moothall/tracing';
import { type DynamicModule, type INestMicroservice, Logger, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestMicroservice } from '@nestjs/microservices';
import { metricsOf } from './metrics';
import { serviceSettings, statelessSettings } from './settings';
import { startPeriodicJobs } from './start-periodic-jobs';

export type ServiceSettings = SettingValues<typeof serviceSettings>;

/** Token of the settings: the shared ones, and those of the service. */
export const settingsToken = Symbol('service settings');

/** Token of a function that reports: this process is a standby, and waits for a lease of another one. */
export const standBy = Symbol('stand by');

/** One service, as apps export it. */
export interface ServiceDefinition {
  /** First word of its operations, name of its queue group and of its database. */
  name: string;
  module: Type | DynamicModule;
  /** Its own settings; found under {@link settingsToken} with the shared ones. */
  settings?: Settings;
  /** Migrations of data of earlier versions. */
  migrations?: readonly Migration[];
  /** Whether it stores nothing: it has no database, no queues, no periodic jobs, and no key for stored credentials. */
  isStateless?: boolean;
  /** Storages of this process; only for the repository service. */
  storages?: (settings: ServiceSettings) => string[];
}

export interface RunningService {
  app: INestMicroservice;
  /**
   * Does no background work until it is released: no events, jobs and periodic jobs. Resolves when running ones have
   * ended.
   */
  hold(): Promise<void>;
  /** @param forgets the data beneath was replaced, so caches and received events are invalid */
  release(forgets: boolean): Promise<void>;
  /** Accepts no new work, ends running work, then closes its connections. */
  stop(): Promise<void>;
}

@Module({})
class RuntimeModule {}

/** Providers of every service, besides its own module. */
function runtimeModule(settings: ServiceSettings, dataPort: DataPort, onStandBy: () => void): DynamicModule {
  const providers = [
    { provide: settingsToken, useValue: settings },
    { provide: standBy, useValue: onStandBy },
    { provide: DataPort, useValue: dataPort },
    { provide: UploadedFiles, useValue: new UploadedFiles(settings.TICKET_KEY, settings.TICKET_KEY_ACCEPTED) },
  ];
  return { module: RuntimeModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
}

/**
 * Starts a service: connects, announces its operations when it can answer them, and runs its jobs.
 * @param env by default that of the process
 * @param logName in every log line; Nest has one log for all applications of a process
 * @param onStandBy called when the service waits for another process to release a lock
 * @throws SettingsError; Error if the service has an operation without a handler
 */
export async function startService(
  definition: ServiceDefinition,
  env: Record<string, string | undefined> = process.env,
  logName = definition.name,
  onStandBy: () => void = () => undefined,
): Promise<RunningService> {
  // A stateless service reads none of the settings that it does not have.
  const common = (definition.isStateless ? statelessSettings : serviceSettings) as typeof serviceSettings;
  const settings: ServiceSettings = readEnv({ ...common, ...definition.settings }, env);
  const logger = new JsonLogger(createLogger(logName, settings.LOG_LEVEL, requestOfLine));
  const connection = await connectNats(settings.NATS_URL, definition.name, securityOf(settings));
  const opened: Closing[] = [() => connection.close()];
  try {
    return await startConnected(definition, { settings, logger, connection, onStandBy, opened });
  } catch (error) {
    await closeAll(opened, (failure) => logger.warn(`left open after the failed start: ${failure}`));
    throw error;
  }
}

type Closing = () => Promise<unknown>;

interface Surroundings {
  settings: ServiceSettings;
  logger: JsonLogger;
  connection: Awaited<ReturnType<typeof connectNats>>;
  onStandBy: () => void;
  /** Closed in reverse order if the service does not start. */
  opened: Closing[];
}

async function startConnected(
  definition: ServiceDefinition,
  { settings, logger, connection, onStandBy, opened }: Surroundings,
): Promise<RunningService> {
  const { name, module, storages, isStateless = false } = definition;
  await ensureEventStream(await connection.jetstreamManager(), eventStreamOf(settings));
  const metrics = metricsOf(name);
  const tracer = openTracer(name, settings, metrics.onSpansLost);
  const works = new Works({
    slowMs: settings.SLOW_OPERATION_MS,
    isFollowing: settings.FOLLOW_REQUESTS ?? followsForNothing,
    isVerbose: ['trace', 'debug'].includes(settings.LOG_LEVEL),
    tracer,
    onSlow: metrics.onSlow,
  });
  const dataPort = openDataPort(settings, works, new Logger(`${name} data port`));
  const largeMessages = new LargeMessageStore(dataPort);
  opened.push(
    () => largeMessages.close(),
    () => dataPort.close(),
  );

  const held = storages?.(settings);
  const isWorker = !isStateless && settings.ROLES.includes('worker');
  const pace = settings.RECOVERY_PACE / 100;
  const server = new OperationServer({
    service: name,
    connection,
    largeMessages,
    storages: held,
    checkOutput: settings.CHECK_OUTPUT,
    refusalOf: databaseRefusal,
    works,
    onFinished: metrics.onFinished,
  });
  const root: DynamicModule = {
    module: class ServiceRoot {},
    imports: [
      runtimeModule(settings, dataPort, onStandBy),
      MessagingModule.forService({
        service: name,
        connection,
        largeMessages,
        storages: held,
        events: {
          attempts: settings.EVENT_ATTEMPTS,
          isAway: (error) => databaseRefusal(error) !== undefined,
          pace,
          onDeadLetter: metrics.onDeadLetter,
        },
        works,
      }),
      ...(isStateless
        ? []
        : storeModules({
            definition,
            settings,
            works,
            isTraced: tracer !== undefined,
            onJobEnded: metrics.onJobEnded,
          })),
      module,
    ],
  };
  // The caller gets the failure; Nest would end the process.
  const app = await NestFactory.createMicroservice(root, { strategy: server, logger, abortOnError: false });
  opened.push(() => closeHalfStarted(app));
  app.useGlobalFilters(new OperationErrorFilter());
  await dataPort.listen();
  // Nest would call the hooks of a microservice twice if it is initialized before it listens.
  (app as NestMicroservice).setIsInitHookCalled(true);
  await app.init();
  if (!isStateless) metrics.onIndexesBuilt(app.get(Indexes, { strict: false }).missing.length);
  if (settings.ROLES.includes('api')) await app.listen();
  const runner = isWorker ? app.get(JobRunner, { strict: false }) : undefined;
  await runner?.start();
  const hideQueues = runner && metrics.showQueues(() => runner.count());
  const periodicJobs = isWorker ? startPeriodicJobs(app, name, metrics, pace) : undefined;

  const follower = app.get(EventFollower, { strict: false });

  return {
    app,
    async hold() {
      await Promise.all([periodicJobs?.hold(), runner?.hold(), follower.hold()]);
    },
    async release(forgets) {
      periodicJobs?.release();
      follower.release(forgets);
      await runner?.release();
    },
    async stop() {
      app.get(OperationClient, { strict: false }).hurry();
      hideQueues?.();
      await Promise.all([periodicJobs?.stop(), server.close()]);
      await dataPort.close();
      await largeMessages.close();
      await app.close();
      await connection.drain();
      await tracer?.stop();
    },
  };
}

/** After this time the failure is thrown, even if something does not close. */
const closeWithinMs = 5_000;

async function closeAll(opened: Closing[], warn: (failure: unknown) => void): Promise<void> {
  for (const close of opened.reverse()) {
    const late = new AbortController();
    await Promise.race([close(), wait(closeWithinMs, undefined, { signal: late.signal })]).catch(warn);
    late.abort();
  }
}

/** Providers release resources in hooks, which Nest does not call if one of them failed at the start. */
async function closeHalfStarted(app: INestMicroservice): Promise<void> {
  Object.assign(app, { initializationPromise: undefined });
  await app.close();
}

interface Store {
  definition: ServiceDefinition;
  settings: ServiceSettings;
  works: Works;
  isTraced: boolean;
  onJobEnded: NonNullable<JobsOptions['onEnded']>;
}

@Module({})
class SecretsModule {}

/** Database, queues, and encryption of stored credentials. */
function storeModules({ definition, settings, works, isTraced, onJobEnded }: Store): DynamicModule[] {
  const { name, migrations, storages } = definition;
  const box = new SecretBox(settings.SECRET_KEY, settings.SECRET_KEY_ACCEPTED);
  const boxes = [{ provide: SecretBox, useValue: box }];
  return [
    { module: SecretsModule, global: true, providers: boxes, exports: [SecretBox] },
    DatabaseModule.forService({
      service: name,
      uri: settings.MONGODB_URI,
      prefix: settings.MONGODB_PREFIX,
      migrations,
      isTraced,
    }),
    SealedFieldsModule.forService(name, box),
    JobsModule.forService({
      redisUrl: settings.REDIS_URL,
      isWorker: settings.ROLES.includes('worker'),
      storages: storages?.(settings),
      onEnded: onJobEnded,
      works,
      pace: settings.RECOVERY_PACE / 100,
    }),
  ];
}

const eventStreamOf = (settings: ServiceSettings): EventStreamOptions => ({
  replicas: settings.EVENT_REPLICAS,
  storage: settings.EVENT_STORAGE,
  maxAgeSeconds: settings.EVENT_MAX_AGE,
  duplicateWindowSeconds: settings.EVENT_DUPLICATE_WINDOW,
});

function openDataPort(settings: ServiceSettings, works: Works, log: Logger): DataPort {
  return new DataPort(
    {
      host: settings.DATA_PORT_HOST,
      port: settings.DATA_PORT,
      advertisedHost: settings.DATA_PORT_ADVERTISED_HOST,
      signingKey: settings.TICKET_KEY,
      acceptedKey: settings.TICKET_KEY_ACCEPTED,
      idleMs: settings.TRANSFER_IDLE_TIMEOUT * 1000,
      works,
    },
    (error) => log.error(error),
  );
}
