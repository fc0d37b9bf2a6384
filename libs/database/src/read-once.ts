import { mongo } from 'mongoose';

/** Longer results are read with a cursor. */
export const mostAtOnce = 1000;

interface Batch {
  id: number | mongo.Long;
  firstBatch: mongo.Document[];
}

/**
 * Reads the result of a command without the driver's cursor, which parses documents one by one.
 * @returns undefined if the documents do not fit into one reply, or the driver should try again
 * @throws MongoError if there is no database
 */
export async function readOnce(
  database: mongo.Db,
  collection: string,
  command: object,
): Promise<mongo.Document[] | undefined> {
  const { id, firstBatch } = (await send(database, command)) ?? {};
  if (id === 0 || id === undefined) return firstBatch;
  await database.command({ killCursors: collection, cursors: [mongo.Long.fromValue(id)] });
  return undefined;
}

async function send(database: mongo.Db, command: object): Promise<Batch | undefined> {
  const { readConcern } = database;
  try {
    const reply = await database.command({ ...command, ...(readConcern && { readConcern }) });
    return reply.cursor;
  } catch (error) {
    if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerError) return undefined;
    throw error;
  }
}
