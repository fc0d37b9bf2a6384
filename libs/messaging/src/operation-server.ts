import { randomUUID } from 'node:crypto';
import {
  BytesOutput,
  commonErrors,
  type ErrorValue,
  errorTable,
  NoOutput,
  type Operation,
  type OperationContext,
  OperationError,
  operationsOf,
  PageOutput,
  present,
  RawOutput,
  Reply,
} from '@moothall/contracts';
import { beginWork, endWork } from '@moothall/processes';
import { Works } from '@moothall/tracing';
import { Logger } from '@nestjs/common';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { type Msg, type NatsConnection, type Subscription } from 'nats';
import { isObservable, lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { cutTexts } from './cut-texts';
import { bodyLimit } from './large-message/body';
import type { LargeMessageStore } from './large-message/large-message-store';
import { ReplicaPresence } from './replica-presence';
import { SendBatcher } from './send-batcher';
import { contextOf, encodeError, encodeReply, type Frame, inputOf, type OutputKind } from './wire';

export interface OperationServerOptions {
  service: string;
  connection: NatsConnection;
  /** Storages of this process; only for services that are routed by storage. */
  storages?: string[] | undefined;
  /** Validates every reply against its contract and answers 500 if it is invalid. For tests: it costs time. */
  checkOutput?: boolean | undefined;
  /** Stores answers that are too large for a message. */
  largeMessages: LargeMessageStore;
  /** The error for callers if a dependency of the service fails; undefined for other errors. */
  refusalOf?: ((error: unknown) => OperationError | undefined) | undefined;
  /** Traces work; none by default. */
  works?: Works | undefined;
  /** Duration of an operation in seconds, for metrics. */
  onFinished?: ((operation: string, outcome: string, seconds: number) => void) | undefined;
}

/**
 * Nest transport that answers the operations of one service over NATS. One wildcard subscription in the service's
 * queue group distributes the load over its replicas.
 */
export class OperationServer extends Server implements CustomTransportStrategy {
  private readonly log = new Logger(OperationServer.name);
  private readonly operations: Map<string, Operation>;
  private subscriptions: Subscription[] = [];
  private readonly running = new Map<string, Promise<void>>();
  private readonly presence: ReplicaPresence;
  private readonly replies = new SendBatcher();
  private readonly works: Works;

  constructor(private readonly options: OperationServerOptions) {
    super();
    const { service, connection } = options;
    this.works = options.works ?? new Works();
    this.presence = new ReplicaPresence(service, connection, this.replies, (reply) => this.running.has(reply));
    this.operations = new Map(operationsOf(options.service).map((operation) => [operation.name, operation]));
  }

  /** Refuses to start while an operation of the service has no handler. */
  listen(callback: (error?: unknown) => void): void {
    const missing = [...this.operations.keys()].filter((name) => !this.messageHandlers.has(name));
    if (missing.length > 0) {
      callback(new Error(`${this.options.service} owns operations without a handler: ${missing.join(', ')}`));
      return;
    }
    const { service, connection } = this.options;
    this.presence.announce();
    this.subscriptions = this.subjects().map((subject) =>
      connection.subscribe(subject, { queue: service, callback: (_, message) => this.take(message) }),
    );
    // The server must have the subscriptions before the service is ready.
    connection.flush().then(() => callback(), callback);
  }

  /**
   * Subjects that are routed by storage are below the service's subjects, and only the process with that disk
   * subscribes to them.
   */
  private subjects(): string[] {
    const { service, storages = [] } = this.options;
    const all = [...this.operations.values()];
    if (!all.some((operation) => operation.routedByStorage)) return [`${service}.>`];
    const plain = all.filter((operation) => !operation.routedByStorage).map((operation) => operation.name);
    return [...plain, ...storages.map((storage) => `${service}.${storage}.>`)];
  }

  private take(message: Msg): void {
    const reply = message.reply ?? randomUUID();
    const name = this.nameOf(message.subject);
    beginWork(name);
    const answered = this.answer(name, message).finally(() => {
      endWork(name);
      this.running.delete(reply);
    });
    this.running.set(reply, answered);
  }

  private async answer(name: string, message: Msg): Promise<void> {
    const started = performance.now();
    let outcome: string;
    try {
      const context = contextOf(message);
      const answer = () => this.answerTo(context, name, message);
      outcome = await this.works.do('operation', name, context, answer, (code) => (code === 'ok' ? undefined : code));
    } catch (error) {
      outcome = this.answerWithError(name, message, error);
    }
    this.options.onFinished?.(name, outcome, (performance.now() - started) / 1000);
  }

  /** @returns how it ended: `ok`, or the code of the error that was answered */
  private async answerTo(context: OperationContext, name: string, message: Msg): Promise<string> {
    try {
      // What the handler asks of other services is not cut.
      const { longestText, ...handed } = context;
      const whole = await this.run(name, handed, await inputOf(message));
      const result = longestText === undefined ? whole : withBeginnings(whole, longestText);
      const { connection, largeMessages } = this.options;
      const kind = kindOf(this.operationOf(name));
      const reply = encodeReply(result, kind, bodyLimit(connection), (body) => largeMessages.keep(body));
      this.respond(message, reply instanceof Promise ? await reply : reply);
      return 'ok';
    } catch (error) {
      return this.answerWithError(name, message, error);
    }
  }

  private answerWithError(name: string, message: Msg, error: unknown): string {
    const { value } = this.asOperationError(error);
    if (isFault(value)) this.log.error(`${name}: ${inFull(error)}`);
    this.respond(message, encodeError(value));
    return value.code;
  }

  private asOperationError(error: unknown): OperationError {
    if (error instanceof OperationError) return error;
    return this.options.refusalOf?.(error) ?? commonErrors.internal();
  }

  private respond(message: Msg, { data, headers }: Frame): void {
    this.replies.add({
      send: () => message.respond(data, headers && { headers }),
      failed: (error) => this.refuse(message, error),
    });
  }

  /** Texts of headers and errors may also be too long. If the connection is lost, nobody waits for the answer. */
  private refuse(message: Msg, error: unknown): void {
    this.log.error(`${message.subject}: the answer could not be sent: ${error}`);
    const { data, headers } = encodeError(commonErrors.internal().value);
    try {
      message.respond(data, headers && { headers });
    } catch {}
  }

  private operationOf(name: string): Operation {
    return present(this.operations.get(name), name);
  }

  private async run(name: string, context: unknown, input: unknown): Promise<unknown> {
    const handler = this.messageHandlers.get(name);
    if (!handler) throw new Error(`${this.options.service} has no operation ${name}`);
    const answer = await handler(input, context);
    const result = isObservable(answer) ? await lastValueFrom(answer, { defaultValue: undefined }) : answer;
    if (this.options.checkOutput) checkOutput(this.operationOf(name), result);
    return result;
  }

  /** `repository.default.tree.list` is the operation `repository.tree.list`. */
  private nameOf(subject: string): string {
    for (const storage of this.options.storages ?? []) {
      const prefix = `${this.options.service}.${storage}.`;
      if (subject.startsWith(prefix)) return `${this.options.service}.${subject.slice(prefix.length)}`;
    }
    return subject;
  }

  /** Accepts no new requests and waits for running ones. */
  async close(): Promise<void> {
    // Nest closes its transport once more when the application closes.
    if (this.subscriptions.length > 0) this.presence.sayGoodbye();
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    await Promise.all(this.running.values());
    // The last replies are sent at the end of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    this.presence.end();
  }

  on(): never {
    throw new Error('OperationServer emits no events; ask the NATS connection');
  }

  unwrap<T>(): T {
    return this.options.connection as T;
  }
}

function kindOf({ output }: Operation): OutputKind {
  if (output instanceof PageOutput) return 'page';
  if (output instanceof BytesOutput) return 'bytes';
  if (output instanceof RawOutput) return 'raw';
  return output instanceof NoOutput ? 'nothing' : 'json';
}

function withBeginnings(result: unknown, longestText: number): unknown {
  if (!(result instanceof Reply)) return cutTexts(result, longestText);
  return new Reply(cutTexts(result.body, longestText), result.options);
}

function checkOutput(operation: Operation, result: unknown): void {
  const body = JSON.parse(JSON.stringify((result instanceof Reply ? result.body : result) ?? null));
  const { output } = operation;
  const schema = output instanceof PageOutput ? z.object({ items: z.array(output.item) }) : output;
  if (!(schema instanceof z.ZodType)) return;
  const checked = schema.safeParse(body);
  if (!checked.success) throw new Error(`${operation.name} breaks its contract: ${z.prettifyError(checked.error)}`);
}

/** Internal errors; refusals are for the caller only, and overload is in the metrics. */
function isFault({ code }: ErrorValue): boolean {
  const status = errorTable.get(code)?.status ?? 500;
  return status === 500 || status === 507;
}

/** With the details for the log, which are the cause of the error. */
function inFull(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error.stack) : `${error.stack}\n  [cause]: ${error.cause}`;
}
