import { Int32 } from 'bson';
import type { Document, Value } from '../bson/value';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import type { Budget } from '../plan/budget';
import { planQuery, type Query } from '../plan/plan-query';
import { compileProjection } from '../query/projection';
import { removeMatches } from '../write/remove-matches';
import { type Update, type Updated, updateMatches } from '../write/update-matches';
import { runStep, type WriteStep } from '../write/write-step';
import { flag, namespaceOf, optionalDocument } from './arguments';
import type { Call, Command } from './command';
import { hintOf } from './find';
import { letVariables } from './let-variables';
import { modification } from './update';

type Shape = (document: Document | undefined) => Document | null;

/** @see https://www.mongodb.com/docs/manual/reference/command/findAndModify/ */
export const findAndModify: Command = {
  name: 'findAndModify',
  aliases: ['findandmodify'],
  arguments: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'bypassDocumentValidation',
    'collation',
    'arrayFilters',
    'hint',
    'let',
  ],
  async run(call) {
    const { body } = call;
    const namespace = namespaceOf(call);
    const query: Query = {
      filter: optionalDocument(body.query, 'query') ?? {},
      sort: optionalDocument(body.sort, 'sort'),
      limit: 1,
      hint: hintOf(body.hint),
      collation: optionalDocument(body.collation, 'collation'),
      variables: letVariables(body.let),
    };
    const shape = shapeOf(call, namespace, query);
    return flag(body.remove, 'remove') ? remove(call, namespace, query, shape) : modify(call, namespace, query, shape);
  },
};

function shapeOf({ engine, body }: Call, namespace: string, query: Query): Shape {
  const { matcher, collation } = planQuery(engine, engine.emptyCollection(namespace), query);
  const fields = optionalDocument(body.fields, 'fields') ?? {};
  const projection = compileProjection(fields, { collation, variables: query.variables });
  return (document) => {
    if (!document || !projection) return document ?? null;
    return projection.apply(document, projection.needsPosition ? matcher.matchedPosition(document) : undefined);
  };
}

async function remove(
  { engine, body, budget }: Call,
  namespace: string,
  query: Query,
  shape: Shape,
): Promise<Document> {
  if (body.update !== undefined)
    throw new MongoError('FailedToParse', "Cannot specify both an 'update' and 'remove'=true");
  if (flag(body.upsert, 'upsert'))
    throw new MongoError('FailedToParse', "Cannot specify both 'upsert'=true and 'remove'=true");
  if (flag(body.new, 'new')) {
    throw new MongoError(
      'FailedToParse',
      "Cannot specify both 'new'=true and 'remove'=true; 'remove' always returns the deleted document",
    );
  }
  let removed: Document | undefined;
  await runStep(
    engine,
    removeMatches(engine, namespace, query, budget, (_count, last) => {
      removed = last;
    }),
  );
  return { lastErrorObject: { n: new Int32(removed ? 1 : 0) }, value: shape(removed), ok: 1 };
}

async function modify(
  { engine, body, budget }: Call,
  namespace: string,
  query: Query,
  shape: Shape,
): Promise<Document> {
  if (body.update === undefined)
    throw new MongoError('FailedToParse', 'Either an update or remove=true must be specified');
  const wanted: Update = {
    query,
    update: modification(body.update),
    arrayFilters: body.arrayFilters as Value[] | undefined,
    upsert: flag(body.upsert, 'upsert'),
    bypassValidation: flag(body.bypassDocumentValidation, 'bypassDocumentValidation'),
  };
  const done = await runUpdate(engine, namespace, wanted, budget);
  const wantsNew = flag(body.new, 'new');
  const value = wantsNew ? (done.after ?? done.upserted) : done.before;
  const lastErrorObject: Document = {
    n: new Int32(done.matched + (done.upserted ? 1 : 0)),
    updatedExisting: done.matched > 0,
  };
  if (done.upserted) lastErrorObject.upserted = done.upserted._id;
  return { lastErrorObject, value: shape(value), ok: 1 };
}

async function runUpdate(engine: Engine, namespace: string, wanted: Update, budget: Budget): Promise<Updated> {
  let outcome: Updated = { matched: 0, modified: 0 };
  let step: WriteStep | undefined;
  await runStep(engine, {
    tryAtOnce() {
      step = updateMatches(engine, namespace, wanted, budget, (updated) => {
        outcome = updated;
      });
      return step.tryAtOnce();
    },
    takeTurns: () => step!.takeTurns(),
  });
  return outcome;
}
