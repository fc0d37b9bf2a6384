import { keptFor } from '@moothall/background';
import { commonErrors, type EventData, type EventRecord, eventSubject, subscriberChanged } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { listen, natsConnection } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { NatsConnection } from 'nats';

/** Where subscribers are set: the instance, a project or a group. */
export interface ParentKey {
  kind: 'system' | 'project' | 'group';
  parentId: number | null;
}

const keptParents = 20_000;
/** Bounds how long a lost event can be felt. */
const keptForMs = 60_000;

const keyOf = ({ kind, parentId }: ParentKey): string => `${kind} ${parentId}`;

/**
 * Where nobody wants to be told of something, as it is nearly everywhere: that was asked of the database once, and is asked
 * again when a subscriber there came to be or changed, which is told before whoever did it is answered.
 */
@Injectable()
export class Silence implements OnApplicationShutdown {
  /** By parent, for what nobody there is found. */
  private readonly kept = new LRUCache<string, Set<string>>({ max: keptParents, ...keptFor(keptForMs) });
  private readonly stopListening: () => void;
  /** Grows with every change heard, so that an answer from before a change is not kept after it. */
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
   * Somebody there wants to be told, or otherwise than before: every process knows when this resolves. JetStream, which
   * may be away, is not needed for that.
   * @throws common.unavailable where the bus may not have it; whoever asked for the change is not to be told that it counts
   */
  async end({ kind, parentId }: ParentKey): Promise<void> {
    const event = newEvent(subscriberChanged, { kind, parent_id: parentId });
    try {
      this.connection.publish(eventSubject(event.name), JSON.stringify(event));
      await this.connection.flush();
    } catch {
      throw commonErrors.unavailable();
    }
  }

  /**
   * Those who may want to be told, without asking for them where nobody does.
   * @param what they are asked for, which tells answers apart
   * @param find asks for those of some parents, and in no others
   */
  async unlessSilent<T>(
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
