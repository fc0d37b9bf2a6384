import { decodeFields } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import { keyString } from '../bson/index-key';
import { isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { Execution, PAUSE } from '../plan/execution';
import { planQuery } from '../plan/plan-query';
import { MAX_DOCUMENT_BYTES } from '../protocol/wire';
import { namespaceOf, optionalDocument } from './arguments';
import type { Command } from './command';
import { hintOf } from './find';

/** @see https://www.mongodb.com/docs/manual/reference/command/distinct/ */
export const distinct: Command = {
  name: 'distinct',
  arguments: ['key', 'query', 'collation', 'hint'],
  async run(call) {
    const { engine, body, budget } = call;
    const namespace = namespaceOf(call);
    const path = pathOf(body.key);
    const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
    const query = {
      filter: optionalDocument(body.query, 'query') ?? {},
      collation: optionalDocument(body.collation, 'collation'),
      hint: hintOf(body.hint),
      distinct: path.join('.'),
    };
    const { plan, collation } = planQuery(engine, collection, query);
    const execution = new Execution(engine.store, plan, budget);
    const values = new Map<string, Value>();
    const topLevel = new Set([path[0]!]);
    for (let found = execution.next(); found !== undefined; found = execution.next()) {
      if (found === PAUSE) await budget.nextSlice();
      else {
        for (const value of valuesAt(decodeFields(found.bytes, topLevel), path, 0)) {
          const key = keyString(value, collation);
          if (!values.has(key)) values.set(key, value);
        }
      }
    }
    return withinLimit({ values: [...values.values()], ok: 1 });
  },
};

function pathOf(key: Value): string[] {
  if (typeof key !== 'string') {
    throw new MongoError('TypeMismatch', "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  }
  return key.split('.');
}

/** The elements of an array count one by one, on the path and at its end; missing values do not count. */
function* valuesAt(value: Value, path: string[], depth: number): IterableIterator<Value> {
  if (depth === path.length) {
    if (Array.isArray(value)) yield* value;
    else if (value !== undefined) yield value;
    return;
  }
  const name = path[depth]!;
  if (isDocument(value)) {
    if (Object.hasOwn(value, name)) yield* valuesAt(value[name], path, depth + 1);
  } else if (Array.isArray(value)) {
    if (/^\d+$/.test(name) && Number(name) < value.length) yield* valuesAt(value[Number(name)], path, depth + 1);
    else for (const element of value) if (isDocument(element)) yield* valuesAt(element, path, depth);
  }
}

function withinLimit(reply: { values: Value[]; ok: number }): { values: Value[]; ok: number } {
  if (encodeDocument(reply).length > MAX_DOCUMENT_BYTES) throw new MongoError(17217, 'distinct too big, 16mb cap');
  return reply;
}
