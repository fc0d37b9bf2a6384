import {
  BytesOutput,
  type InputOf,
  type Operation,
  type OperationContext,
  OperationError,
  type OutputOf,
  RawOutput,
  Reply,
  subjectOf,
} from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { readLargeMessage } from '@moothall/messaging';
import { headers, type Msg, type NatsConnection } from 'nats';
import { projectNamed } from './contexts';

type Answer<T> = (input: InputOf<T>, context: OperationContext) => OutputOf<T> | Reply<OutputOf<T>> | OperationError;

/** Answers operations of services that do not run. */
export class StubServices {
  private readonly answers = new Map<string, Answer<unknown>>();
  private flushed: Promise<void> | undefined;

  constructor(private readonly connection: NatsConnection) {}

  /** Answers an operation from now on; the last answer given counts. Errors are returned, not thrown. */
  respond<T extends Operation>(operation: T, answer: Answer<T>): void {
    const subject = subjectOf(operation, { requestId: '', project: projectNamed('any') });
    const isNew = !this.answers.has(subject);
    this.answers.set(subject, answer as Answer<unknown>);
    if (!isNew) return;
    this.connection.subscribe(subject, { callback: (_, message) => this.reply(operation, subject, message) });
    this.flushed = undefined;
  }

  /** Resolves when the bus knows of every answer so far: before that, calls fail because no service listens. */
  received(): Promise<void> {
    this.flushed ??= this.connection.flush();
    return this.flushed;
  }

  private reply(operation: Operation, subject: string, message: Msg): void {
    const parcel = message.headers?.get('parcel');
    if (!parcel) this.answer(operation, subject, message, message.data);
    else {
      const read = readLargeMessage(JSON.parse(parcel)).then((input) =>
        this.answer(operation, subject, message, input),
      );
      unattended(subject, read);
    }
  }

  private answer({ output }: Operation, subject: string, message: Msg, input: Uint8Array): void {
    const context = JSON.parse(message.headers?.get('context') || '{}') as OperationContext;
    const answer = this.answers.get(subject)?.(JSON.parse(new TextDecoder().decode(input)) as never, context);
    const result: unknown = answer instanceof Reply ? answer.body : answer;
    const head = headers();
    if (answer instanceof Reply) head.set('reply', JSON.stringify(answer.options));
    if (result instanceof OperationError) head.set('error', JSON.stringify(result.value));
    else if (output instanceof BytesOutput) head.set('reply', JSON.stringify({ ticket: result }));
    const { items, ...page } = (result ?? {}) as { items?: unknown };
    if (items !== undefined) head.set('reply', JSON.stringify({ page }));
    const isText = output instanceof RawOutput && typeof result === 'string';
    const text = isText ? result : JSON.stringify(items ?? result ?? null);
    message.respond(new TextEncoder().encode(text), { headers: head });
  }
}
