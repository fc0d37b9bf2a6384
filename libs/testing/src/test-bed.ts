import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  defaultApplicationSettings,
  defaultPlanLimits,
  type EventContract,
  type EventData,
  type EventInput,
  type EventRecord,
  readApplicationSettings,
  readPlanLimits,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { newEvent } from '@moothall/database';
import { recoveryPace, startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import {
  connectNats,
  EventPublisher,
  ensureEventStream,
  LargeMessageStore,
  listen,
  OperationClient,
} from '@moothall/messaging';
import { ErrorCode, type NatsConnection, NatsError } from 'nats';
import { Faults } from './faults/faults';
import { FaultyClient } from './faults/faulty-client';
import { areFaultsMeant, isUnderFaults } from './faults/without-faults';
import { refuseScans } from './meant-scans';
import { StubServices } from './stub-services';
import { ticketKey } from './ticket-key';

/** NATS, Redis and MongoDB protocol of a test, with the services that the test stubs. */
export interface TestBed {
  client: OperationClient;
  /** The environment that services are to be started with. */
  env: Record<string, string>;
  /** Answers an operation of another service, by its contract. The last answer given counts. */
  respond: StubServices['respond'];
  /** Publishes an event of another service. While NATS is unavailable it is sent again, as from an outbox. */
  emit<E extends EventContract>(contract: E, data: EventInput<E>): Promise<void>;
  /** Published events of the service so far, oldest first, each once. */
  events<E extends EventContract>(contract: E): EventRecord<EventData<E>>[];
  /** Kills NATS or Redis, and restarts it with its data on disk. */
  restart: TestInfrastructure['restart'];
  /** @throws Error if scans are checked, and a query of the service has read a whole collection */
  stop(): Promise<void>;
}

/**
 * With `npm run scans` in every test; otherwise in tests that call the main operations of a service, since others
 * query the database themselves.
 */
const looksForScans = () => process.env.SCANS !== undefined || (areFaultsMeant() && !isUnderFaults);

/** @param service its name; it is to be started by the caller */
export async function openTestBed(service: string, settings: Record<string, string> = {}): Promise<TestBed> {
  const infrastructure = await startTestInfrastructure();
  const env = {
    MONGODB_URI: infrastructure.mongodbUri,
    NATS_URL: infrastructure.natsUrl,
    REDIS_URL: infrastructure.redisUrl,
    MONGODB_PREFIX: infrastructure.mongodbPrefix,
    EXTERNAL_URL: 'http://moothall.test',
    SECRET_KEY: 'a secret key of the tests, long enough',
    TICKET_KEY: ticketKey,
    LOG_LEVEL: areFaultsMeant() ? 'fatal' : 'error',
    CHECK_OUTPUT: 'true',
    // No test crashes the machine.
    FSYNC: 'false',
    RECOVERY_PACE: recoveryPace,
    ...settings,
  };
  const connection = await connectNats(infrastructure.natsUrl, 'test');
  await ensureEventStream(await connection.jetstreamManager());
  // An outbox may publish an event twice with the same id, and JetStream then stores it once.
  const received = new Map<string, EventRecord>();
  listen(connection, ['>'], (event) => {
    if (!received.has(event.id)) received.set(event.id, event);
  });
  const stubs = new StubServices(connection);
  // Every service calls these; the service that has them answers itself.
  if (service !== 'projects') {
    stubs.respond(readApplicationSettings, () => defaultApplicationSettings);
    stubs.respond(readPlanLimits, () => defaultPlanLimits);
  }
  await stubs.received();
  // Inputs that are too large for a message, as the gateway would send them.
  const dataPort = new DataPort({ host: '127.0.0.1', port: 0, signingKey: ticketKey }, () => {});
  await dataPort.listen();
  const largeMessages = new LargeMessageStore(dataPort);
  const faults = areFaultsMeant()
    ? await Faults.open(infrastructure.mongodbUri, `${infrastructure.mongodbPrefix}_${service}`)
    : undefined;
  return {
    client: faults
      ? new FaultyClient(connection, largeMessages, faults, service)
      : new OperationClient(connection, largeMessages),
    env,
    respond: (operation, answer) => stubs.respond(operation, answer),
    emit: (contract, data) => sendSurely(connection, newEvent(contract, data)),
    events: (contract) => [...received.values()].filter((event) => event.name === contract.name) as never,
    restart: infrastructure.restart,
    async stop() {
      if (isUnderFaults && faults) appendFileSync(process.env.FAULTS!, `${faults.report.join('\n')}\n`);
      await faults?.close();
      await connection.close();
      await largeMessages.close();
      await dataPort.close();
      const scans = infrastructure.scans();
      await infrastructure.stop();
      if (looksForScans()) refuseScans(service, scans);
    },
  };
}

const pauseMs = 100;
const away: readonly string[] = [ErrorCode.Timeout, ErrorCode.NoResponders, ErrorCode.Disconnect];

async function sendSurely(connection: NatsConnection, event: EventRecord): Promise<void> {
  const publisher = new EventPublisher(connection);
  for (;;) {
    try {
      await publisher.publish(event);
      return;
    } catch (error) {
      if (!(error instanceof NatsError) || !away.includes(error.code)) throw error;
      await wait(pauseMs);
    }
  }
}
