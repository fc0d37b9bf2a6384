import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection, Subscription } from 'nats';
import type { SendBatcher } from './send-batcher';
import { subscribeSafely } from './subscribe-safely';

/*
 * How a caller learns that the replica with its request is gone, without an additional message for requests that
 * succeed. Callers know the replicas of a service: these announce themselves before they take anything, and again on request. Each
 * has a subject of its own, where it answers which requests it holds. When its process dies, so does its connection,
 * and the bus itself answers there that nobody is left. A replica that is merely busy says nothing until it comes to
 * it, which does not count as an end.
 */

/** Announces a replica. */
export interface Hello {
  service: string;
  replica: string;
}

export const helloSubject = 'replicas.hello';
export const whoSubject = 'replicas.who';
/** Where a stopping replica announces its stop, before it accepts no more requests: it, or a successor, will return. */
export const byeSubject = 'replicas.bye';

/** Where a replica is asked which of the given requests, named by their reply subjects, it holds. */
export const replicaSubject = (replica: string): string => `replicas.at.${replica}`;

/** One replica of a service, for callers that wait for its answers. */
export class ReplicaPresence {
  private readonly replica = randomUUID();
  private readonly hello: string;
  private subscriptions: Subscription[] = [];

  /** @param replies what it says leaves after the answers that were given before */
  constructor(
    service: string,
    private readonly connection: NatsConnection,
    private readonly replies: SendBatcher,
    private readonly holds: (request: string) => boolean,
  ) {
    this.hello = JSON.stringify({ service, replica: this.replica } satisfies Hello);
  }

  /** Before anything is taken: callers know of it then when its first request comes. */
  announce(): void {
    this.subscriptions = [
      subscribeSafely(this.connection, replicaSubject(this.replica), (message) => this.tell(message)),
      subscribeSafely(this.connection, whoSubject, (message) => message.respond(this.hello)),
    ];
    this.connection.publish(helloSubject, this.hello);
  }

  /** Before nothing is taken any more: callers know of it then when they find nobody. */
  sayGoodbye(): void {
    this.connection.publish(byeSubject, this.hello);
  }

  private tell(message: Msg): void {
    const held = message.json<string[]>().filter((request) => this.holds(request));
    this.replies.add({
      send: () => message.respond(JSON.stringify(held)),
      // Without a connection nothing can be sent; callers notice by themselves.
      failed: () => undefined,
    });
  }

  /** After the last answer has left. */
  end(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }
}
