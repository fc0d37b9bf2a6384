import type { Collation } from '../bson/collation';
import { decodeDocument } from '../bson/decode';
import type { Document, Value } from '../bson/value';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import type { Budget } from '../plan/budget';
import { collationOf, type PlannedQuery, planQuery, type Query } from '../plan/plan-query';
import { type CompiledUpdate, compileUpdate } from '../update/compile-update';
import { ChangeMatches } from './change-matches';
import { type Prepared, prepareDocument, prepareUpdated } from './prepare-document';
import { requireValid } from './validation';
import type { WriteStep } from './write-step';

export interface Update {
  query: Query;
  /** Modifiers, a replacement or a pipeline. */
  update: Document | Value[];
  arrayFilters?: Value[] | undefined;
  upsert: boolean;
  /** Whether the collection's validator is passed over. */
  bypassValidation: boolean;
}

export interface Updated {
  matched: number;
  modified: number;
  /** The document that was inserted without a match. */
  upserted?: Document;
  /** The last changed document, before and after. */
  before?: Document;
  after?: Document;
}

/**
 * Updates the matches of a query: the first with a limit of 1, else all. If a later one fails, changed documents stay
 * changed, as in MongoDB. Called within a transaction: an upsert may create the collection.
 * @param done called at the end with the result
 */
export function updateMatches(
  engine: Engine,
  namespace: string,
  wanted: Update,
  budget: Budget,
  done: (updated: Updated) => void,
): WriteStep {
  const present = engine.catalog.find(namespace);
  const checked = present ?? engine.emptyCollection(namespace);
  const update = compile(wanted, collationOf(wanted.query, checked));
  const result: Updated = { matched: 0, modified: 0 };
  if (!present) planQuery(engine, checked, wanted.query);
  const collection = present ?? (wanted.upsert ? engine.catalog.create(namespace, {}) : checked);
  return new ChangeMatches({
    engine,
    collection,
    query: wanted.query,
    budget,
    change({ recordId, bytes }, matcher) {
      const before = decodeDocument(bytes);
      const position = update.needsPosition ? matcher.matchedPosition(before) : undefined;
      const { document, isModified } = update.apply(before, position);
      if (isModified) {
        const { stored } = prepareUpdated(document);
        if (!wanted.bypassValidation) requireValid(engine, collection, document, before);
        collection.replace(recordId, before, stored, document, bytes.length);
        result.modified++;
      }
      result.before = before;
      result.after = document;
    },
    nothingFound(planned) {
      if (!wanted.upsert) return;
      const { stored, document } = missingDocument(update, planned);
      if (!wanted.bypassValidation) requireValid(engine, collection, document);
      collection.insert(stored, document);
      result.upserted = document;
    },
    done(found) {
      result.matched = found;
      done(result);
    },
  });
}

function compile({ update, arrayFilters, query }: Update, collation: Collation | undefined): CompiledUpdate {
  const compiled = compileUpdate(update, { collation, arrayFilters, variables: query.variables });
  if (compiled.kind === 'replacement' && query.limit !== 1) {
    throw new MongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  return compiled;
}

function missingDocument(update: CompiledUpdate, { matcher }: PlannedQuery): Prepared {
  return prepareDocument(prepareUpdated(update.insert(matcher.node)).stored);
}
