import { commonErrors } from '@moothall/contracts';
import { createInbox, ErrorCode, type Msg, type NatsConnection, NatsError } from 'nats';
import { Departures } from './departures';
import { Link } from './link';
import { LostReplies } from './lost-replies';
import { byeSubject, type Hello, helloSubject, whoSubject } from './replica-presence';
import { SendBatcher } from './send-batcher';
import { subscribeSafely } from './subscribe-safely';
import type { Frame } from './wire';

/** Where replicas announce themselves. */
const helloToken = '.replicas.hello';
const askAgainMs = 50;

interface Waiting {
  /** The service that answers. */
  service: string;
  sentAt: number;
  resolve: (reply: Msg) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  publish: () => void;
  /** Counted up with each time that it is sent. */
  tries: number;
  /** There were no responders; it waits to be sent again. */
  isUntaken?: boolean;
}

/**
 * Requests whose replies arrive at one inbox; those of one turn of the event loop are sent together. The client
 * library's own `request` does much the same, but creates an error with a stack for every successful request: a tenth
 * of the gateway's work for a small answer.
 */
export class ReplyInbox {
  private readonly inbox = createInbox();
  private readonly waiting = new Map<string, Waiting>();
  private readonly requests = new SendBatcher();
  private readonly link: Link;
  private readonly lost = new LostReplies(this.waiting, {
    ask: (subject, frame, timeoutMs) => this.send(subject, frame, timeoutMs),
    giveUp: (reply) => this.refuse(reply, commonErrors.unavailable()),
    isUp: () => this.link.isUp,
  });
  private readonly departures = new Departures();
  private count = 0;

  constructor(private readonly connection: NatsConnection) {
    connection.subscribe(`${this.inbox}.*`, {
      callback: (error, reply) => (error ? this.refuseAll() : this.take(reply)),
    });
    subscribeSafely(connection, helloSubject, (hello) => this.lost.meet(hello));
    subscribeSafely(connection, byeSubject, (bye) => this.departures.note(bye.json<Hello>().service));
    subscribeSafely(connection, `${this.inbox}${helloToken}`, (hello) => this.lost.meet(hello));
    this.link = new Link(connection, { lost: () => this.refuseAll(), back: () => this.askWhoIsThere() });
    this.askWhoIsThere();
  }

  /**
   * @throws common.unavailable without a responder or connection, and as soon as the answer is lost; common.timeout
   * after the limit
   */
  request(subject: string, frame: Frame, timeoutMs: number): Promise<Msg> {
    // An unsent request may wait for the connection, since no replica has it.
    return this.link.isUp
      ? this.send(subject, frame, timeoutMs)
      : this.link.up().then(() => this.send(subject, frame, timeoutMs));
  }

  /** From now on no request waits for services that announced their stop. */
  hurry(): void {
    this.departures.hurry();
  }

  private askWhoIsThere(): void {
    this.connection.publish(whoSubject, undefined, { reply: `${this.inbox}${helloToken}` });
  }

  private send(subject: string, { data, headers }: Frame, timeoutMs: number): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const reply = `${this.inbox}.${++this.count}`;
      const timer = setTimeout(() => this.refuse(reply, commonErrors.timeout()), timeoutMs);
      const service = subject.slice(0, subject.indexOf('.'));
      const publish = () => this.connection.publish(subject, data, headers ? { reply, headers } : { reply });
      this.waiting.set(reply, { service, sentAt: Date.now(), resolve, reject, timer, publish, tries: 1 });
      this.requests.add({ send: publish, failed: (error) => this.refuse(reply, asRefusal(error)) });
      this.lost.watch();
    });
  }

  private take(reply: Msg): void {
    if (saysNobody(reply) && this.asksAgain(reply.subject)) return;
    const waiting = this.end(reply.subject);
    if (saysNobody(reply)) waiting?.reject(commonErrors.unavailable());
    else waiting?.resolve(reply);
  }

  /** @returns whether a successor will start */
  private asksAgain(reply: string): boolean {
    const waiting = this.waiting.get(reply);
    if (!waiting || !this.departures.isExpectedBack(waiting.service)) return false;
    waiting.isUntaken = true;
    setTimeout(() => {
      if (!this.waiting.has(reply)) return;
      waiting.isUntaken = false;
      waiting.tries += 1;
      this.requests.add({ send: waiting.publish, failed: (error) => this.refuse(reply, asRefusal(error)) });
    }, askAgainMs).unref();
    return true;
  }

  /** The inbox receives nothing any more: the connection is closed, or NATS refuses the subscription. */
  private refuseAll(): void {
    for (const subject of this.waiting.keys()) this.refuse(subject, commonErrors.unavailable());
  }

  private refuse(subject: string, error: Error): void {
    this.end(subject)?.reject(error);
  }

  private end(subject: string): Waiting | undefined {
    const waiting = this.waiting.get(subject);
    clearTimeout(waiting?.timer);
    this.waiting.delete(subject);
    return waiting;
  }
}

/** Other errors than those of NATS are internal, and hidden from clients. */
function asRefusal(error: unknown): Error {
  if (!(error instanceof NatsError)) return error as Error;
  return error.code === ErrorCode.MaxPayloadExceeded ? commonErrors.tooLarge() : commonErrors.unavailable();
}

/** The server answers this without subscribers. Source: NATS client protocol, no_responders. */
const saysNobody = ({ data, headers }: Msg): boolean => data.length === 0 && headers?.code === 503;
