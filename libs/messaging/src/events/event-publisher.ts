import { type EventRecord, eventSubject } from '@moothall/contracts';
import { waitingFor } from '@moothall/tracing';
import { type JetStreamClient, type NatsConnection, headers as newHeaders } from 'nats';
import { SendBatcher } from '../send-batcher';
import { LargeEvents } from './large-events';

/** Publishes events that are already stored with their change. */
export class EventPublisher {
  private readonly jetstream: JetStreamClient;
  private readonly events: LargeEvents;
  private readonly publications = new SendBatcher();

  constructor(connection: NatsConnection) {
    this.jetstream = connection.jetstream();
    this.events = new LargeEvents(connection);
  }

  /**
   * Resolves when JetStream has stored it. JetStream drops duplicates within two minutes, and consumers drop later
   * ones.
   */
  async publish(event: EventRecord): Promise<void> {
    const sent = () =>
      new Promise((resolve, reject) =>
        this.publications.add({ send: () => this.send(event).then(resolve, reject), failed: reject }),
      );
    await waitingFor('events', `publish ${event.name}`, sent);
  }

  private async send(event: EventRecord): Promise<unknown> {
    const { data, headers = event.traceparent ? newHeaders() : undefined } = await this.events.pack(event);
    // For external consumers; ours read the record.
    if (event.traceparent) headers?.set('traceparent', event.traceparent);
    return this.jetstream.publish(eventSubject(event.name), data, { msgID: event.id, ...(headers && { headers }) });
  }
}
