import { OperationChecks } from '@moothall/access';
import {
  commonErrors,
  errorTable,
  type Operation,
  type OperationContext,
  OperationError,
  PageOutput,
} from '@moothall/contracts';
import { discardLargeMessage, OperationClient, readLargeMessage } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from '../headers/header-text';
import type { Asking, Row } from './asking';
import { type Connection, connectionIn, type PageArguments, pagesOf, spanOf } from './connection';
import { graphqlLimits, LimitExceeded } from './limits';

interface Answer {
  body: unknown;
  total: number | undefined;
}

/** Lets GraphQL fields call operations of the API, with the same rules as its routes. */
@Injectable()
export class OperationRunner {
  constructor(
    private readonly operations: OperationClient,
    private readonly checks: OperationChecks,
  ) {}

  /** For one request: equal reads are one call, and the number of concurrent calls is limited. */
  begin(request: FastifyRequest, reply: FastifyReply): Asking {
    const asked = new Map<string, Promise<Answer>>();
    const slots = new Slots(graphqlLimits.atOnce);
    const until = Date.now() + graphqlLimits.seconds * 1000;
    let bytes = 0;
    const spend = (more: number): void => {
      bytes += more;
      if (bytes > graphqlLimits.bytes) throw new LimitExceeded('The answer is too large');
    };
    const ask = (operation: Operation, input: Record<string, unknown>): Promise<Answer> => {
      const key = `${operation.name} ${JSON.stringify(input)}`;
      const before = asked.get(key);
      if (before !== undefined) return before;
      const answer = slots.within(async () => {
        if (reply.raw.closed) throw commonErrors.unavailable();
        if (Date.now() > until) throw new LimitExceeded('Request timed out');
        return this.ask(operation, input, request, spend);
      });
      asked.set(key, answer);
      return answer;
    };
    const one: Asking['one'] = async (operation, input) =>
      orNull(async () => (await ask(operation, input)).body as Row);
    const change: Asking['change'] = (operation, input) =>
      slots.within(async () => {
        if (reply.raw.closed) throw commonErrors.unavailable();
        // A mutation may change earlier answers.
        asked.clear();
        return (await this.ask(operation, input, request, spend)).body as Row;
      });
    const list: Asking['list'] = (operation, input, page) => orNull(() => listOf(ask, operation, input, page));
    return { one, list, change };
  }

  private async ask(
    operation: Operation,
    given: Record<string, unknown>,
    request: FastifyRequest,
    spend: (bytes: number) => void,
  ): Promise<Answer> {
    const { caller } = request;
    const { input, target } = await this.checks.admit(operation, given, caller, request.ip);
    const context: OperationContext = { requestId: request.id, caller, client: clientOf(request), ...target };
    const { meta, body } = await this.operations.send(operation, input, context);
    const { parcel } = meta;
    try {
      spend(parcel ? parcel.sizeBytes : body.byteLength);
    } catch (error) {
      if (parcel) await discardLargeMessage(parcel);
      throw error;
    }
    const bytes = parcel ? await readLargeMessage(parcel) : body;
    return { body: JSON.parse(Buffer.from(bytes).toString()), total: meta.page?.total };
  }
}

async function listOf(
  ask: (operation: Operation, input: Record<string, unknown>) => Promise<Answer>,
  operation: Operation,
  input: Record<string, unknown>,
  page: PageArguments,
): Promise<Connection<Row>> {
  if (!(operation.output instanceof PageOutput)) throw new Error(`${operation.name} has no list as output`);
  const span = spanOf(page);
  const answers: Answer[] = [];
  // After a page that is not full, the next one is not read.
  for (const pageAsked of pagesOf(span)) {
    const answer = await ask(operation, { ...input, ...pageAsked });
    answers.push(answer);
    if ((answer.body as Row[]).length < pageAsked.per_page) break;
  }
  return connectionIn(
    answers.flatMap(({ body }) => body as Row[]),
    answers[0]?.total,
    span,
  );
}

/** Null for missing records and for those that the caller may not see. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const status = error instanceof OperationError ? errorTable.get(error.code)?.status : undefined;
    if (status === 401 || status === 403 || status === 404) return null;
    throw error;
  }
}

const clientOf = ({ ip, headers }: FastifyRequest): OperationContext['client'] => ({
  ip,
  userAgent: headerText(headers['user-agent']) ?? '',
});

/** Limits concurrency; further work waits for its turn. */
class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free -= 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
