import { Int32 } from 'bson';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { type Update, updateMatches } from '../write/update-matches';
import { runStatements } from '../write/write-step';
import { flag, namespaceOf, optionalDocument } from './arguments';
import type { Command } from './command';
import { hintOf } from './find';
import { letVariables } from './let-variables';
import { statementsOf } from './statements';

const statementArguments = new Set(['q', 'u', 'c', 'multi', 'upsert', 'collation', 'arrayFilters', 'hint']);

/** @see https://www.mongodb.com/docs/manual/reference/command/update/ */
export const update: Command = {
  name: 'update',
  arguments: ['updates', 'ordered', 'let', 'bypassDocumentValidation'],
  async run(call) {
    const { engine, body, budget } = call;
    const namespace = namespaceOf(call);
    const statements = statementsOf(call, 'updates', statementArguments);
    const variables = letVariables(body.let);
    const bypass = flag(body.bypassDocumentValidation, 'bypassDocumentValidation');
    const ordered = body.ordered === undefined || flag(body.ordered, 'ordered');
    let matched = 0;
    let modified = 0;
    const upserted: Document[] = [];
    const writeErrors = await runStatements(engine, statements, ordered, (statement, position) =>
      updateMatches(engine, namespace, updateOf(statement, variables, bypass), budget, (done) => {
        matched += done.matched;
        modified += done.modified;
        if (done.upserted) upserted.push({ index: new Int32(position), _id: done.upserted._id });
      }),
    );
    return {
      n: new Int32(matched + upserted.length),
      nModified: new Int32(modified),
      ...(upserted.length > 0 ? { upserted } : {}),
      ...writeErrors,
      ok: 1,
    };
  },
};

function updateOf(
  statement: Document,
  variables: Record<string, Value> | undefined,
  bypassValidation: boolean,
): Update {
  const constants = optionalDocument(statement.c, 'c');
  return {
    query: {
      filter: optionalDocument(statement.q, 'q') ?? {},
      limit: flag(statement.multi, 'multi') ? 0 : 1,
      hint: hintOf(statement.hint),
      collation: optionalDocument(statement.collation, 'collation'),
      variables: constants ? { ...variables, ...letVariables(constants) } : variables,
    },
    update: modification(statement.u),
    arrayFilters: statement.arrayFilters as Value[] | undefined,
    upsert: flag(statement.upsert, 'upsert'),
    bypassValidation,
  };
}

/** @throws FailedToParse (9) for anything but a document or a pipeline */
export function modification(update: Value): Document | Value[] {
  if (Array.isArray(update) || isDocument(update)) return update;
  throw new MongoError('FailedToParse', 'Update argument must be either an object or an array');
}
