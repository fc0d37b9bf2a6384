import { mongo } from 'mongoose';

/** Longer results are read with a cursor. */
export const mostAtOnce = 1000;

interface Batch {
  id: number | mongo.Long;
  firstBatch: mongo.Document[];
}

/**
 * Reads the result of a command without the driver's cursor, which parses documents one by one.
 * @returns undefined if the driver should read it: the documents do not fit into one reply, or the command failed
 * @throws MongoServerSelectionError if no server answers
 */
export async function readOnce(
  database: mongo.Db,
  collection: string,
  command: object,
): Promise<mongo.Document[] | undefined> {
  const { readConcern } = database;
  try {
    const reply = await database.command({ ...command, ...(readConcern && { readConcern }) });
    const { id, firstBatch }: Batch = reply.cursor;
    if (id === 0) return firstBatch;
    await database.command({ killCursors: collection, cursors: [mongo.Long.fromValue(id)] });
    return undefined;
  } catch (error) {
    if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerError) return undefined;
    throw error;
  }
}
