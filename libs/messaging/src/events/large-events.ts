import { loadOnce } from '@moothall/background';
import type { EventRecord } from '@moothall/contracts';
import { headers, type Msg, type MsgHdrs, type NatsConnection, nanos, type ObjectStore } from 'nats';
import { bodyLimit, encodeText } from '../large-message/body';
import type { Frame } from '../wire';
import { eventStream, mayBeMadeByAnother } from './event-stream';

const bodyHeader = 'body';
const bucket = 'event_bodies';

/** Transports events: a body that is too large for a message is an object in JetStream, which the message names. */
export class LargeEvents {
  /** Stored as long as the events. */
  private readonly bodies = loadOnce(() => this.open());

  constructor(private readonly connection: NatsConnection) {}

  async pack(event: EventRecord): Promise<Frame> {
    const text = JSON.stringify(event);
    const data = encodeText(text, bodyLimit(this.connection));
    if (data instanceof Uint8Array) return { data };
    const bodies = await this.bodies();
    await bodies.putBlob({ name: event.id }, Buffer.from(text));
    const head = headers();
    head.set(bodyHeader, event.id);
    return { data: new Uint8Array(0), headers: head };
  }

  /** @throws when it is no event, or its body is no longer stored */
  async read<T>(message: Pick<Msg, 'data' | 'json'> & { headers?: MsgHdrs | undefined }): Promise<EventRecord<T>> {
    const name = message.headers?.get(bodyHeader);
    if (!name) return message.json<EventRecord<T>>();
    const body = await (await this.bodies()).getBlob(name);
    if (!body) throw new Error(`the body of event ${name} is no longer stored`);
    return JSON.parse(Buffer.from(body).toString());
  }

  private async open(): Promise<ObjectStore> {
    const manager = await this.connection.jetstreamManager();
    const { max_age, storage, num_replicas } = (await manager.streams.info(eventStream)).config;
    const ttl = max_age || nanos(0);
    const open = () => this.connection.jetstream().views.os(bucket, { ttl, storage, replicas: num_replicas });
    return open().catch((error) => {
      if (mayBeMadeByAnother(error)) return open();
      throw error;
    });
  }
}
