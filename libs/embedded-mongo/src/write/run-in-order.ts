import type { Document } from '../bson/value';
import { writeError } from './run-statements';

/**
 * Runs statements that search, one after the other. When `ordered`, none is tried after one that failed.
 * @returns `{writeErrors}`, or nothing to add to the reply
 */
export async function runInOrder(
  statements: Document[],
  ordered: boolean,
  run: (statement: Document, position: number) => Promise<void>,
): Promise<{ writeErrors?: Document[] }> {
  const errors: Document[] = [];
  for (const [position, statement] of statements.entries()) {
    try {
      await run(statement, position);
    } catch (error) {
      errors.push(writeError(error, position));
      if (ordered) break;
    }
  }
  return errors.length > 0 ? { writeErrors: errors } : {};
}
