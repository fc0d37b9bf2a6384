import { mongo } from 'mongoose';
import type { BulkWritable, Statement } from './collection-of';

/** What became of statements that went to the database together. */
export interface Written {
  /** Documents that updates found. */
  matchedCount: number;
  /** What kept single statements from being done, by their place. */
  failures: Map<number, mongo.MongoServerError>;
}

/*
 * The driver has one error for two things: statements that were refused (`writeErrors` says which), and a command that
 * failed as a whole, for its connection, its node or a full disk; then `writeErrors` is empty, and nobody knows what was
 * done. Nothing else may read it: apps/standalone/test/architecture.spec.ts holds that.
 */

/**
 * Does statements in one go and in no order.
 * @throws what befell the command, also where it is not safe on a majority: any of the statements may be done or not
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

/** The same where every statement has to be done. @throws also the first refusal */
export async function writeAll(collection: BulkWritable, statements: readonly Statement[]): Promise<void> {
  const { failures } = await writeMany(collection, statements);
  for (const failure of failures.values()) throw failure;
}

/** Inserts documents in one go and in no order. @returns what kept single ones out, by their place @throws as {@link writeMany} */
export async function insertEach(
  collection: BulkWritable,
  documents: readonly object[],
  options?: Pick<mongo.BulkWriteOptions, 'ignoreUndefined'>,
): Promise<Written['failures']> {
  const statements = documents.map((document) => ({ insertOne: { document } }));
  return (await writeMany(collection, statements, options)).failures;
}

/** @throws what befell the whole command */
function refusedIn(error: unknown): mongo.WriteError[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  const refused = [error.writeErrors].flat();
  const isNotSafe = error.result.getWriteConcernError() !== undefined;
  if (refused.length > 0 && !isNotSafe) return refused;
  const { errorResponse } = error as { errorResponse: unknown };
  throw errorResponse instanceof Error ? errorResponse : error;
}

/** As the same statement would fail alone: in failures of a batch the driver leaves out what index refused it. */
function errorOf({ code, errmsg = '', errInfo }: mongo.WriteError): mongo.MongoServerError {
  const index = / index: (\S+) dup key: /.exec(errmsg)?.[1];
  return new mongo.MongoServerError({
    code,
    errmsg,
    ...(errInfo && { errInfo }),
    ...(index && { keyPattern: keyPatternOf(index) }),
  });
}

/** An index is named after its key unless it is given a name: `owner_1_title_-1`, and `_id_`. */
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
