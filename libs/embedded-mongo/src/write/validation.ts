import type { Document, Value } from '../bson/value';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import { compileFilter, type Matcher } from '../query/compile-filter';
import { explainMismatch } from '../query/explain-mismatch';
import { parseFilter } from '../query/parse-filter';
import type { Collection } from '../storage/collection';

const levels = ['off', 'strict', 'moderate'];
const actions = ['error', 'warn'];

/** Compiled once for the options of a collection, which are replaced and never changed. */
const compiled = new WeakMap<Document, Matcher>();

/**
 * Checks the options of `create` and `collMod` that define the valid documents of a collection.
 * @throws the error of the validator; BadValue (2) for unknown levels and actions
 */
export function validationOptions({ validator, validationLevel, validationAction }: Document): Document {
  if (validator !== undefined) matcherOf(validator);
  requireOneOf(validationLevel, levels, 'validationLevel');
  requireOneOf(validationAction, actions, 'validationAction');
  const given = Object.entries({ validator, validationLevel, validationAction });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function matcherOf(validator: Value): Matcher {
  if (typeof validator !== 'object' || validator === null || Array.isArray(validator))
    throw new MongoError('TypeMismatch', "BSON field 'validator' is the wrong type, expected type 'object'");
  return compileFilter(parseFilter(validator as Document));
}

function requireOneOf(value: Value, allowed: string[], name: string): void {
  if (value === undefined || allowed.includes(value as string)) return;
  throw new MongoError('BadValue', `Enumeration value '${String(value)}' for field '${name}' is not a valid value.`);
}

/**
 * Validates a document before it is stored.
 * @param before the document that it replaces; at the level `moderate` invalid documents may stay invalid
 * @throws DocumentValidationFailure (121) with `errInfo`, or logs if the action is `warn`
 */
export function requireValid(engine: Engine, collection: Collection, document: Document, before?: Document): void {
  const { validator, validationLevel, validationAction } = collection.options as Record<string, Value>;
  if (validator === undefined || validationLevel === 'off') return;
  const matcher = compiledFor(collection.options, validator);
  if (matcher.matches(document)) return;
  if (validationLevel === 'moderate' && before !== undefined && !matcher.matches(before)) return;
  const details = explainMismatch(validator as Document, document);
  if (validationAction !== 'warn') {
    const errInfo = { failingDocumentId: document._id, details };
    throw new MongoError('DocumentValidationFailure', 'Document failed validation', { errInfo });
  }
  const { namespace } = collection;
  engine.log('a document would fail validation', { namespace, operator: details.operatorName });
}

function compiledFor(options: Document, validator: Value): Matcher {
  const known = compiled.get(options);
  if (known) return known;
  const matcher = matcherOf(validator);
  compiled.set(options, matcher);
  return matcher;
}
