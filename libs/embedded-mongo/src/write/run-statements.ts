import { Int32 } from 'bson';
import type { Document } from '../bson/value';
import type { Engine } from '../engine';
import { MongoError } from '../errors';

/** How long statements of one command share a transaction's turn before other commands get theirs. */
const TURN_MS = 4;

/**
 * Runs one small write per statement, as many to a transaction as fit in a turn. A failed one leaves nothing
 * behind and is reported by its place; when `ordered`, none is tried after it.
 * @returns `{writeErrors}`, or nothing to add to the reply
 */
export async function runStatements<T>(
  engine: Engine,
  statements: readonly T[],
  ordered: boolean,
  write: (statement: T, position: number) => void,
): Promise<{ writeErrors?: Document[] }> {
  const errors: Document[] = [];
  const runTurn = (from: number): number => {
    const end = performance.now() + TURN_MS;
    let at = from;
    do {
      try {
        write(statements[at]!, at);
      } catch (error) {
        errors.push(writeError(error, at));
        if (ordered) return statements.length;
      }
      at++;
    } while (at < statements.length && performance.now() < end);
    return at;
  };
  for (let at = 0; at < statements.length; ) {
    const from = at;
    at = await engine.store.writer.run(() => runTurn(from));
  }
  return errors.length > 0 ? { writeErrors: errors } : {};
}

/** How a failed statement stands in a reply. Errors that are none of MongoDB's end the whole command. */
export function writeError(error: unknown, position: number): Document {
  if (!(error instanceof MongoError)) throw error;
  return {
    index: new Int32(position),
    code: new Int32(error.code),
    errmsg: error.message,
    ...(error.details as Document),
  };
}
