import type { NatsConnection } from 'nats';
import { subscribeSafely } from './subscribe-safely';

const subject = 'requests.abandoned';
const decoder = new TextDecoder();

/** Notifies every service that a request was abandoned, so that its work stops. */
export const publishAbandoned = (connection: NatsConnection, requestId: string): void =>
  connection.publish(subject, new TextEncoder().encode(requestId));

/**
 * Aborts work whose client has disconnected, if the contract declares that (`endsWithClient`). A lost message only
 * costs the rest of the work, which has its own limits.
 */
export class AbandonedRequests {
  private readonly underWay = new Map<string, Set<AbortController>>();
  private readonly stopListening: () => void;

  constructor(connection: NatsConnection) {
    const subscription = subscribeSafely(connection, subject, ({ data }) => this.end(decoder.decode(data)));
    this.stopListening = () => subscription.unsubscribe();
  }

  /** Runs the work of a request; the signal aborts when its client has disconnected. */
  async during<T>(requestId: string, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
    const gone = new AbortController();
    const others = this.underWay.get(requestId) ?? new Set();
    this.underWay.set(requestId, others.add(gone));
    try {
      return await work(gone.signal);
    } finally {
      others.delete(gone);
      if (others.size === 0) this.underWay.delete(requestId);
    }
  }

  private end(requestId: string): void {
    for (const gone of this.underWay.get(requestId) ?? []) gone.abort();
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
