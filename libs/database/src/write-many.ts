import { mongo } from 'mongoose';
import type { BulkWritable, Statement } from './collection-of';

/** The result of statements that were sent to the database together. */
export interface Written {
  /** Documents that updates matched. */
  matchedCount: number;
  /** Failures of single statements, by their index. */
  failures: Map<number, mongo.MongoServerError>;
}

/*
 * The driver has one error for two cases: refused statements (listed in `writeErrors`), and a failed command, because
 * of its connection, its node or a full disk; then `writeErrors` is empty, and it is unknown what was written. Only
 * this file may read it (apps/standalone/test/architecture.spec.ts).
 */

/**
 * Runs statements in one command, unordered.
 * @throws the failure of the command, also if it is not replicated to a majority: each statement may be done or not
 */
export async function writeMany(
  collection: BulkWritable,
  statements: readonly Statement[],
  options: Pick<mongo.BulkWriteOptions, 'ignoreUndefined'> = {},
): Promise<Written> {
  if (statements.length === 0) return { matchedCount: 0, failures: new Map() };
  try {
    const { matchedCount } = await collection.bulkWrite(statements, { ...options, ordered: false });
    return { matchedCount, failures: new Map() };
  } catch (error) {
    const failures = new Map(refusedIn(error).map((refused) => [refused.index, errorOf(refused)]));
    return { matchedCount: (error as mongo.MongoBulkWriteError).matchedCount, failures };
  }
}

/** The same if every statement must succeed. @throws also the first refusal */
export async function writeAll(collection: BulkWritable, statements: readonly Statement[]): Promise<void> {
  const { failures } = await writeMany(collection, statements);
  for (const failure of failures.values()) throw failure;
}

/**
 * Inserts documents in one command, unordered. @returns the failures of single ones, by their index @throws like
 * {@link writeMany}
 */
export async function insertEach(
  collection: BulkWritable,
  documents: readonly object[],
  options?: Pick<mongo.BulkWriteOptions, 'ignoreUndefined'>,
): Promise<Written['failures']> {
  const statements = documents.map((document) => ({ insertOne: { document } }));
  return (await writeMany(collection, statements, options)).failures;
}

/** @throws the failure of the whole command */
function refusedIn(error: unknown): mongo.WriteError[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  const isNotSafe = error.result.getWriteConcernError() !== undefined;
  if (refused.length > 0 && !isNotSafe) return refused;
  const { errorResponse } = error as { errorResponse: unknown };
  throw errorResponse instanceof Error ? errorResponse : error;
}

/** Like the error of the single statement: for a failure in a batch the driver omits the index that refused it. */
function errorOf({ code, errmsg = '', errInfo }: mongo.WriteError): mongo.MongoServerError {
  const index = / index: (\S+) dup key: /.exec(errmsg)?.[1];
  return new mongo.MongoServerError({
    code,
    errmsg,
    ...(errInfo && { errInfo }),
    ...(index && { keyPattern: keyPatternOf(index) }),
  });
}

/** An index is named after its key unless it has a name: `owner_1_title_-1`, and `_id_`. */
function keyPatternOf(name: string): mongo.Document {
  if (name === '_id_') return { _id: 1 };
  const keys: mongo.Document = {};
  let field: string[] = [];
  for (const part of name.split('_')) {
    if (part !== '1' && part !== '-1') field.push(part);
    else {
      keys[field.join('_')] = Number(part);
      field = [];
    }
  }
  return keys;
}
