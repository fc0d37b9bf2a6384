import { Works } from '@moothall/tracing';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, Reflector } from '@nestjs/core';
import type { NatsConnection } from 'nats';
import { AbandonedRequests } from './abandoned-requests';
import { EventConsumer, type EventConsumerOptions } from './events/event-consumer';
import { EventPublisher } from './events/event-publisher';
import { KnownAppearance, KnownPlanLimits, KnownSettings } from './instance';
import type { LargeMessageStore } from './large-message/large-message-store';
import { EventFollower } from './on-event';
import { OperationClient } from './operation-client';

/** Token of the service's NATS connection. */
export const natsConnection = Symbol('NATS connection');

interface MessagingOptions {
  service: string;
  connection: NatsConnection;
  largeMessages: LargeMessageStore;
  /** Storages of this process, for services that are routed by storage. */
  storages?: readonly string[] | undefined;
  events?: EventConsumerOptions | undefined;
  /** Traces work; none by default. */
  works?: Works | undefined;
}

/** Provides OperationClient and EventPublisher to a service, and delivers events to its @OnEvent methods. */
@Module({})
export class MessagingModule {
  static forService({
    service,
    connection,
    largeMessages,
    storages,
    events,
    works = new Works(),
  }: MessagingOptions): DynamicModule {
    const client = new OperationClient(connection, largeMessages);
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: natsConnection, useValue: connection },
        { provide: OperationClient, useValue: client },
        { provide: AbandonedRequests, useFactory: () => new AbandonedRequests(connection) },
        { provide: KnownSettings, useFactory: () => new KnownSettings(client, connection) },
        { provide: KnownAppearance, useFactory: () => new KnownAppearance(client, connection) },
        { provide: KnownPlanLimits, useFactory: () => new KnownPlanLimits(client, connection) },
        { provide: EventPublisher, useValue: new EventPublisher(connection) },
        {
          provide: EventFollower,
          inject: [DiscoveryService, Reflector],
          useFactory: (discovery: DiscoveryService, reflector: Reflector) =>
            new EventFollower(discovery, reflector, new EventConsumer(connection, events), {
              service,
              storages,
              works,
            }),
        },
      ],
      exports: [
        natsConnection,
        AbandonedRequests,
        OperationClient,
        EventPublisher,
        KnownSettings,
        KnownAppearance,
        KnownPlanLimits,
      ],
    };
  }
}
