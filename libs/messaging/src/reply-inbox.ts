import { commonErrors } from '@moothall/contracts';
import { createInbox, ErrorCode, type Msg, type NatsConnection, NatsError } from 'nats';
import { Together } from './together';
import type { Frame } from './wire';

interface Waiting {
  resolve: (reply: Msg) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/**
 * Requests whose replies come to one inbox; those of one turn of the event loop leave together. The client library's own
 * `request` does much the same, and makes an error with its stack for every one that went well: a tenth of what the
 * gateway does for a small answer.
 */
export class ReplyInbox {
  private readonly inbox = createInbox();
  private readonly waiting = new Map<string, Waiting>();
  private readonly requests = new Together();
  private count = 0;

  constructor(private readonly connection: NatsConnection) {
    connection.subscribe(`${this.inbox}.*`, {
      callback: (error, reply) => (error ? this.refuseAll() : this.take(reply)),
    });
    void connection.closed().then(() => this.refuseAll());
  }

  /** @throws common.unavailable without a responder or connection, common.timeout when late */
  request(subject: string, { data, headers }: Frame, timeoutMs: number): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const reply = `${this.inbox}.${++this.count}`;
      const timer = setTimeout(() => this.end(reply)?.reject(commonErrors.timeout()), timeoutMs);
      this.waiting.set(reply, { resolve, reject, timer });
      const send = () => this.connection.publish(subject, data, { reply, headers });
      this.requests.add(send, (error) => this.end(reply)?.reject(asRefusal(error)));
    });
  }

  private take(reply: Msg): void {
    const waiting = this.end(reply.subject);
    if (saysNobody(reply)) waiting?.reject(commonErrors.unavailable());
    else waiting?.resolve(reply);
  }

  /** Nothing comes to the inbox any more: the connection is closed, or the bus does not let us listen. */
  private refuseAll(): void {
    for (const subject of this.waiting.keys()) this.end(subject)?.reject(commonErrors.unavailable());
  }

  private end(subject: string): Waiting | undefined {
    const waiting = this.waiting.get(subject);
    clearTimeout(waiting?.timer);
    this.waiting.delete(subject);
    return waiting;
  }
}

/** What is no error of the bus is one of ours, and not for the client to read. */
function asRefusal(error: unknown): Error {
  if (!(error instanceof NatsError)) return error as Error;
  return error.code === ErrorCode.MaxPayloadExceeded ? commonErrors.tooLarge() : commonErrors.unavailable();
}

/** The server answers so where nobody has subscribed. Source: NATS client protocol, no_responders. */
const saysNobody = ({ data, headers }: Msg): boolean => data.length === 0 && headers?.code === 503;
