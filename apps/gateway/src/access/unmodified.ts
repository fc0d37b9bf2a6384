import { commonErrors, type Operation, type OperationContext, operations } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const shapeOf = (path: string): string => path.replace(/:\w+/g, ':');

/** The operation that reads the record which a DELETE of the same path removes. */
const readers = new Map(
  operations.flatMap((operation) =>
    operation.routes.filter(({ method }) => method === 'GET').map(({ path }) => [shapeOf(path), operation] as const),
  ),
);

interface Dated {
  updated_at?: string | null;
  last_activity_at?: string;
  created_at?: string;
  commit?: { committed_date?: string } | null;
}

/** Checks `If-Unmodified-Since` of deletions against the record's `updated_at`. See docs/api/answers.md#4. */
@Injectable()
export class Unmodified {
  constructor(private readonly client: OperationClient) {}

  /** @throws common.precondition_failed if the record has changed since; errors of reading it */
  async require(
    operation: Operation,
    { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
    input: Record<string, unknown>,
    context: OperationContext,
  ): Promise<void> {
    if (method !== 'DELETE' || headers['if-unmodified-since'] === undefined) return;
    const since = Date.parse(headers['if-unmodified-since']);
    const reader = readers.get(shapeOf(operation.routes[0]?.path ?? ''));
    if (Number.isNaN(since) || !reader?.input.safeParse(input).success) return;
    const changedAt = changeOf(await this.client.call(reader, input, context));
    // The header has whole seconds, records have milliseconds.
    if (changedAt >= since + 1000) throw commonErrors.preconditionFailed();
  }
}

/** Time of the last change; NaN if unknown, which compares as not later. */
function changeOf(record: unknown): number {
  const { updated_at, commit, last_activity_at, created_at } = (record ?? {}) as Dated;
  return Date.parse(updated_at ?? commit?.committed_date ?? last_activity_at ?? created_at ?? '');
}
