import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection, Subscription } from 'nats';
import type { SendBatcher } from './send-batcher';
import { subscribeSafely } from './subscribe-safely';

/*
 * How a caller detects that the replica with its request has died, without additional messages for successful
 * requests. Callers know the replicas of a service, which announce themselves before they accept requests, and again
 * on request. Each has its own subject, where it answers which requests it has. When its process dies, its connection
 * is closed, and NATS answers that there are no responders. A busy replica answers later, which does not count as
 * dead.
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

/** Where a replica is asked which of the given requests, named by their reply subjects, it has. */
export const replicaSubject = (replica: string): string => `replicas.at.${replica}`;

/** One replica of a service, for callers that wait for its answers. */
export class ReplicaPresence {
  private readonly replica = randomUUID();
  private readonly hello: string;
  private subscriptions: Subscription[] = [];

  /** @param replies its messages are sent after earlier answers */
  constructor(
    service: string,
    private readonly connection: NatsConnection,
    private readonly replies: SendBatcher,
    private readonly holds: (request: string) => boolean,
  ) {
    this.hello = JSON.stringify({ service, replica: this.replica } satisfies Hello);
  }

  /** Before it accepts requests: callers know it when its first request arrives. */
  announce(): void {
    this.subscriptions = [
      subscribeSafely(this.connection, replicaSubject(this.replica), (message) => this.tell(message)),
      subscribeSafely(this.connection, whoSubject, (message) => message.respond(this.hello)),
    ];
    this.connection.publish(helloSubject, this.hello);
  }

  /** Before it stops accepting requests: callers know that when they find no responders. */
  sayGoodbye(): void {
    this.connection.publish(byeSubject, this.hello);
  }

  private tell(message: Msg): void {
    const held = message.json<string[]>().filter((request) => this.holds(request));
    this.replies.add({
      send: () => message.respond(JSON.stringify(held)),
      // Without a connection nothing can be sent; callers notice that.
      failed: () => undefined,
    });
  }

  /** After the last answer was sent. */
  end(): void {
    for (const subscription of this.subscriptions) subscription.unsubscribe();
  }
}
