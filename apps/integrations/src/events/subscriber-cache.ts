import { expiresAfter } from '@moothall/background';
import { commonErrors, type EventData, type EventRecord, eventSubject, subscriberChanged } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { listen, natsConnection } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';

/** What subscribers belong to: the instance, a project or a group. */
export interface ParentKey {
  kind: 'system' | 'project' | 'group';
  parentId: number | null;
}

const keptParents = 20_000;
/** Limits the effect of a lost event. */
const keptForMs = 60_000;

const keyOf = ({ kind, parentId }: ParentKey): string => `${kind} ${parentId}`;

/**
 * Which projects and groups have no subscriber for an event, which is nearly all of them. This is read from the database once, and
 * again after a subscriber was added or changed, which is published before that request is answered.
 */
@Injectable()
export class SubscriberCache implements OnApplicationShutdown {
  /** Queries without a subscriber, by parent. */
  private readonly kept = new LRUCache<string, Set<string>>({ max: keptParents, ...expiresAfter(keptForMs) });
  private readonly stopListening: () => void;
  /** Incremented with each change, so that an older answer is not cached. */
  private changes = 0;

  constructor(@Inject(natsConnection) private readonly connection: NatsConnection) {
    this.stopListening = listen(
      connection,
      [subscriberChanged.name],
      (event) => this.hear(event),
      () => this.forgetAll(),
    );
  }

  /**
   * A subscriber was added or changed: every process knows when this resolves. JetStream, which
   * may be unreachable, is not needed for that.
   * @throws common.unavailable if the message may be lost, so that the request does not succeed
   */
  async invalidate({ kind, parentId }: ParentKey): Promise<void> {
    const event = newEvent(subscriberChanged, { kind, parent_id: parentId });
    try {
      this.connection.publish(eventSubject(event.name), JSON.stringify(event));
      await this.connection.flush();
    } catch {
      throw commonErrors.unavailable();
    }
  }

  /**
   * The subscribers of some parents, without a query for parents that are known to have none.
   * @param what names the question in the cache
   * @param find queries the subscribers of some parents
   */
  async findUnlessEmpty<T>(
    parents: readonly ParentKey[],
    what: string,
    find: (parents: readonly ParentKey[]) => Promise<T[]>,
    parentOf: (found: T) => ParentKey,
  ): Promise<T[]> {
    const asked = parents.filter((parent) => !this.kept.get(keyOf(parent))?.has(what));
    if (asked.length === 0) return [];
    const before = this.changes;
    const found = await find(asked);
    if (this.changes === before) this.keep(asked, what, new Set(found.map((one) => keyOf(parentOf(one)))));
    return found;
  }

  private keep(asked: readonly ParentKey[], what: string, loud: ReadonlySet<string>): void {
    for (const key of asked.map(keyOf)) {
      if (loud.has(key)) continue;
      const silent = this.kept.get(key);
      if (silent) silent.add(what);
      else this.kept.set(key, new Set([what]));
    }
  }

  private hear({ data }: EventRecord): void {
    const { kind, parent_id } = data as EventData<typeof subscriberChanged>;
    this.changes += 1;
    this.kept.delete(keyOf({ kind, parentId: parent_id }));
  }

  private forgetAll(): void {
    this.changes += 1;
    this.kept.clear();
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
