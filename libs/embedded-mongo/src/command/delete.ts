import { Int32 } from 'bson';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Query } from '../plan/plan-query';
import { removeMatches } from '../write/remove-matches';
import { runStatements } from '../write/write-step';
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
    const writeErrors = await runStatements(engine, statements, ordered, (statement) =>
      removeMatches(engine, namespace, queryOf(statement, variables), budget, (removed) => {
        deleted += removed;
      }),
    );
    return { n: new Int32(deleted), ...writeErrors, ok: 1 };
  },
};

function queryOf(statement: Document, variables: Record<string, Value> | undefined): Query {
  return {
    filter: optionalDocument(statement.q, 'q') ?? {},
    limit: limitOf(statement),
    hint: hintOf(statement.hint),
    collation: optionalDocument(statement.collation, 'collation'),
    variables,
  };
}

function limitOf({ limit }: Document): number {
  const value = Number(limit);
  if (value !== 0 && value !== 1) {
    throw new MongoError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`);
  }
  return value;
}
