import type { EventContract, EventData, EventRecord } from '@moothall/contracts';
import { whileAtWork } from '@moothall/processes';
import type { Works } from '@moothall/tracing';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { EventConsumer } from './events/event-consumer';

const followed = Symbol('followed event');

interface Followed {
  contracts: readonly EventContract[];
  name: string;
  isInOrder: boolean;
}

type Handler<E> = (event: EventRecord<EventData<E>>) => Promise<void>;

/**
 * Marks the method of a provider that consumes an event. It may run twice for one event, so it must be idempotent.
 * Replicas of a service share the consumer, so each event is delivered to one of them. Processes with storages are no
 * replicas of each other: every storage has its own position, and a process with several may receive an event once
 * for each.
 *
 * @param name of the position in the stream, within the service. Keep it when class and method are renamed: with
 * another name all events of the last days are handled again
 */
export function OnEvent<E extends EventContract>(contract: E, name: string) {
  return <M extends Handler<E>>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    mark({ contracts: [contract], name, isInOrder: false }, target, key, descriptor);
  };
}

/**
 * Marks the method of a provider that follows events of several kinds one after the other, in the order in which they were
 * sent, over all replicas. While one fails, later ones wait for half a minute, until it becomes a dead letter.
 * @param name as for {@link OnEvent}
 */
export function OnEventsInOrder(contracts: readonly EventContract[], name: string) {
  return <M extends Handler<EventContract>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    mark({ contracts, name, isInOrder: true }, target, key, descriptor);
  };
}

function mark<M>(wanted: Followed, target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void {
  SetMetadata(followed, wanted)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
}

/** Starts a durable consumer for every {@link OnEvent} method of the application. */
@Injectable()
export class EventFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(EventFollower.name);
  private readonly names = new Set<string>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly consumer: EventConsumer,
    private readonly follower: { service: string; storages?: readonly string[] | undefined; works: Works },
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const scanner = new MetadataScanner();
    const wrappers = this.discovery
      .getProviders()
      .filter((wrapper) => wrapper.instance && wrapper.isDependencyTreeStatic());
    for (const { instance } of wrappers) {
      for (const method of scanner.getAllMethodNames(Object.getPrototypeOf(instance) ?? {})) {
        await this.follow(instance, method);
      }
    }
  }

  private async follow(instance: Record<string, unknown>, method: string): Promise<void> {
    const handler = instance[method];
    if (typeof handler !== 'function') return;
    const wanted = this.reflector.get<Followed | undefined>(followed, handler);
    if (!wanted) return;
    if (this.names.has(wanted.name)) throw new Error(`two handlers follow events as ${wanted.name}`);
    this.names.add(wanted.name);
    const { service, storages } = this.follower;
    const places = storages?.length ? storages.map((storage) => `${service}-${storage}`) : [service];
    for (const place of places) {
      const durable = `${place}-${wanted.name}`;
      await this.consume(wanted, durable, (event) => handler.call(instance, event));
    }
  }

  private async consume(
    { contracts, isInOrder }: Followed,
    durable: string,
    handle: (event: EventRecord) => Promise<void>,
  ): Promise<void> {
    const follow = (event: EventRecord) => this.follower.works.do('event', durable, event, () => logged(event));
    const logged = async (event: EventRecord) => {
      try {
        await whileAtWork(durable, () => handle(event));
      } catch (error) {
        this.log.error(
          `${durable} failed on ${event.name} ${event.id}: ${error instanceof Error ? error.stack : error}`,
        );
        throw error;
      }
    };
    if (isInOrder) await this.consumer.followInOrder(contracts, durable, follow);
    else for (const contract of contracts) await this.consumer.follow(contract, durable, follow);
  }

  /** See {@link EventConsumer.hold}. */
  hold(): Promise<void> {
    return this.consumer.hold();
  }

  release(forgets: boolean): void {
    this.consumer.release(forgets);
  }

  /** Before the database connection is closed, which handlers need. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.close();
  }
}
