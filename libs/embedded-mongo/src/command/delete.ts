import { Int32 } from 'bson';
import { decodeDocument } from '../bson/decode';
import type { Document } from '../bson/value';
import type { Engine } from '../engine';
import { MongoError } from '../errors';
import type { Budget } from '../plan/budget';
import { planQuery, type Query } from '../plan/plan-query';
import { changeMatches } from '../write/change-matches';
import { runInOrder } from '../write/run-in-order';
import { flag, namespaceOf, optionalDocument } from './arguments';
import type { Command } from './command';
import { hintOf } from './find';
import { letVariables } from './let-variables';
import { statementsOf } from './statements';

const statementArguments = new Set(['q', 'limit', 'collation', 'hint']);

/** @see https://www.mongodb.com/docs/manual/reference/command/delete/ */
export const deleteCommand: Command = {
  name: 'delete',
  arguments: ['deletes', 'ordered', 'let', 'bypassDocumentValidation'],
  async run(call) {
    const { engine, body, budget } = call;
    const namespace = namespaceOf(call);
    const statements = statementsOf(call, 'deletes', statementArguments);
    const variables = letVariables(body.let);
    const ordered = body.ordered === undefined || flag(body.ordered, 'ordered');
    let deleted = 0;
    const writeErrors = await runInOrder(statements, ordered, async (statement) => {
      const limit = limitOf(statement);
      const query = {
        filter: optionalDocument(statement.q, 'q') ?? {},
        limit,
        hint: hintOf(statement.hint),
        collation: optionalDocument(statement.collation, 'collation'),
        variables,
      };
      deleted += await removeMatches(engine, namespace, query, budget);
    });
    return { n: new Int32(deleted), ...writeErrors, ok: 1 };
  },
};

function limitOf({ limit }: Document): number {
  const value = Number(limit);
  if (value !== 0 && value !== 1) {
    throw new MongoError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`);
  }
  return value;
}

/** Removes what a query matches; with a limit of 1, the first. */
async function removeMatches(engine: Engine, namespace: string, query: Query, budget: Budget): Promise<number> {
  const collection = engine.catalog.find(namespace);
  if (!collection) {
    planQuery(engine, engine.emptyCollection(namespace), query);
    return 0;
  }
  return changeMatches({
    engine,
    collection,
    query,
    budget,
    change: ({ recordId, bytes }) => collection.remove(recordId, decodeDocument(bytes), bytes.length),
  });
}
