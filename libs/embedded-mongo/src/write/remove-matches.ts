import { decodeDocument } from '../bson/decode';
import type { Document } from '../bson/value';
import type { Engine } from '../engine/engine';
import type { Budget } from '../plan/budget';
import type { Query } from '../plan/plan-query';
import { ChangeMatches } from './change-matches';
import type { WriteStep } from './write-step';

/**
 * Deletes the matches of a query: the first with a limit of 1, else all.
 * @param done called at the end with their number and the last of them
 */
export function removeMatches(
  engine: Engine,
  namespace: string,
  query: Query,
  budget: Budget,
  done: (removed: number, last: Document | undefined) => void,
): WriteStep {
  const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
  let last: Document | undefined;
  return new ChangeMatches({
    engine,
    collection,
    query,
    budget,
    change({ recordId, bytes }) {
      last = decodeDocument(bytes);
      collection.remove(recordId, last, bytes.length);
    },
    done: (removed) => done(removed, last),
  });
}
