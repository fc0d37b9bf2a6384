import { Int32 } from 'bson';
import type { Document } from '../bson/value';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';

/** How long statements of one command share a transaction before other commands get their turn. */
const TURN_MS = 8;

/** A write that is tried within one transaction, and runs with pauses if that would block others. */
export interface WriteStep {
  /**
   * Within a transaction. Throws only before its first write.
   * @returns whether it is done
   */
  tryAtOnce(): boolean;
  /** Searches first, with pauses, and writes in separate transactions. */
  takeTurns(): Promise<void>;
}

export async function runStep(engine: Engine, step: WriteStep): Promise<void> {
  const isDone = await engine.store.writer.run(() => step.tryAtOnce());
  if (!isDone) await step.takeTurns();
}

/**
 * Runs the statements of one command in their order, as many per transaction as fit in a turn. A failed one leaves
 * nothing and is reported by its index; if `ordered`, none is tried after it.
 * @param prepare checks a statement; called within its transaction
 * @returns `{writeErrors}`, or nothing to add to the reply
 */
export async function runStatements<T>(
  engine: Engine,
  statements: readonly T[],
  ordered: boolean,
  prepare: (statement: T, position: number) => WriteStep,
): Promise<{ writeErrors?: Document[] }> {
  const errors: Document[] = [];
  const failed = (error: unknown, position: number): number => {
    errors.push(writeError(error, position));
    return ordered ? statements.length : position + 1;
  };
  for (let at = 0; at < statements.length; ) {
    const from = at;
    const { next, pending } = await engine.store.writer.run(() => runTurn(statements, from, prepare, failed));
    at = next;
    if (!pending) continue;
    try {
      await pending.takeTurns();
      at++;
    } catch (error) {
      at = failed(error, at);
    }
  }
  return errors.length > 0 ? { writeErrors: errors } : {};
}

interface Turn {
  /** The next statement: the pending one, if there is one. */
  next: number;
  pending?: WriteStep;
}

function runTurn<T>(
  statements: readonly T[],
  from: number,
  prepare: (statement: T, position: number) => WriteStep,
  failed: (error: unknown, position: number) => number,
): Turn {
  const end = performance.now() + TURN_MS;
  let at = from;
  do {
    try {
      const step = prepare(statements[at]!, at);
      if (!step.tryAtOnce()) return { next: at, pending: step };
      at++;
    } catch (error) {
      at = failed(error, at);
    }
  } while (at < statements.length && performance.now() < end);
  return { next: at };
}

/** A failed statement in a reply. Errors without a MongoDB code fail the whole command. */
function writeError(error: unknown, position: number): Document {
  if (!(error instanceof MongoError)) throw error;
  return {
    index: new Int32(position),
    code: new Int32(error.code),
    errmsg: error.message,
    ...(error.details as Document),
  };
}
