import {
  BytesOutput,
  commonErrors,
  type InputOf,
  isError,
  NoOutput,
  type Operation,
  type OperationContext,
  type OutputOf,
  PageOutput,
  RawOutput,
  subjectOf,
} from '@moothall/contracts';
import { currentTask, waitingFor } from '@moothall/tracing';
import type { NatsConnection } from 'nats';
import { bodyLimit, type LargeBody } from './large-message/body';
import { type LargeMessage, readLargeMessage } from './large-message/large-message';
import type { LargeMessageStore } from './large-message/large-message-store';
import { ReplyInbox } from './reply-inbox';
import { type DecodedReply, decodeReply, encodeRequest } from './wire';

const defaultTimeoutSeconds = 30;
const decoder = new TextDecoder();

/** Calls operations of other services. */
export class OperationClient {
  private readonly inbox: ReplyInbox;

  /** @param largeMessages sends inputs that are too large for a message; without it they are refused */
  constructor(
    private readonly connection: NatsConnection,
    private readonly largeMessages?: LargeMessageStore,
  ) {
    this.inbox = new ReplyInbox(connection);
  }

  /**
   * Calls an operation and parses its answer.
   * @throws OperationError: that of the operation, common.unavailable without a responder, common.timeout after the
   * limit
   */
  async call<T extends Operation>(
    operation: T,
    input: InputOf<T>,
    context: Partial<OperationContext> = {},
  ): Promise<OutputOf<T>> {
    return this.callValidated(operation, operation.input.parse(input), context);
  }

  /** The same with input that is validated already. */
  async callValidated<T extends Operation>(
    operation: T,
    input: unknown,
    context: Partial<OperationContext> = {},
  ): Promise<OutputOf<T>> {
    const { meta, body: inline } = await this.send(operation, input, {
      requestId: currentTask()?.requestId ?? 'internal',
      ...context,
    });
    if (operation.output instanceof BytesOutput) return meta.ticket as OutputOf<T>;
    if (operation.output instanceof NoOutput) return undefined as unknown as OutputOf<T>;
    const body = meta.parcel ? await readLargeMessage(meta.parcel) : inline;
    if (operation.output instanceof RawOutput) return decoder.decode(body) as OutputOf<T>;
    const parsed = JSON.parse(decoder.decode(body));
    return (operation.output instanceof PageOutput ? { items: parsed, ...meta.page } : parsed) as OutputOf<T>;
  }

  /**
   * Sends validated input and returns the raw reply, for callers that pass it on: a large body is a reference to a
   * large message. A read is sent once more if the answer was lost with its replica or the connection.
   */
  send(operation: Operation, input: unknown, context: OperationContext): Promise<DecodedReply> {
    return waitingFor('services', operation.name, (traceparent) =>
      this.ask(operation, input, traceparent ? { ...context, traceparent } : context),
    );
  }

  private async ask(operation: Operation, input: unknown, context: OperationContext): Promise<DecodedReply> {
    const encoded = encodeRequest(context, input, bodyLimit(this.connection), (body) => this.keep(body));
    const frame = encoded instanceof Promise ? await encoded : encoded;
    const timeoutMs = (operation.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
    const subject = subjectOf(operation, context);
    const ask = () => this.inbox.request(subject, frame, timeoutMs);
    const reply = await ask().catch((error: unknown) => {
      if (operation.isRead && isError(error, commonErrors.unavailable)) return ask();
      throw error;
    });
    return decodeReply(reply);
  }

  /** This process stops: it no longer waits for services that announced their stop. */
  hurry(): void {
    this.inbox.hurry();
  }

  private async keep(body: LargeBody): Promise<LargeMessage> {
    if (!this.largeMessages) throw commonErrors.tooLarge();
    return this.largeMessages.keep(body);
  }
}
