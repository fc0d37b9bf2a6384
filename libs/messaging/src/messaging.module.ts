import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, Reflector } from '@nestjs/core';
import type { NatsConnection } from 'nats';
import { EventConsumer, EventPublisher } from './events';
import { EventFollower } from './on-event';
import { OperationClient } from './operation-client';

/** Token of the service's NATS connection. */
export const natsConnection = Symbol('NATS connection');

/** Gives a service its way to the others: OperationClient, EventPublisher, and its @OnEvent methods their events. */
@Module({})
export class MessagingModule {
  /** @param storages those of this process, for services that are routed by storage */
  static forService(service: string, connection: NatsConnection, storages?: readonly string[]): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: natsConnection, useValue: connection },
        { provide: OperationClient, useValue: new OperationClient(connection) },
        { provide: EventPublisher, useValue: new EventPublisher(connection) },
        {
          provide: EventFollower,
          inject: [DiscoveryService, Reflector],
          useFactory: (discovery: DiscoveryService, reflector: Reflector) =>
            new EventFollower(discovery, reflector, new EventConsumer(connection), { service, storages }),
        },
      ],
      exports: [natsConnection, OperationClient, EventPublisher],
    };
  }
}
