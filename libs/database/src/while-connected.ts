import { mongo } from 'mongoose';
import { connectionOptions } from './connection-options';

/**
 * Reads through a connection of its own, which is closed in the end: for threads, which share none with their process. It
 * is imported from `@moothall/database/while-connected`, since a thread that loads the rest takes 60 MB more.
 * @param name of the database
 */
export async function whileConnected<R>(
  { uri, name }: { uri: string; name: string },
  work: (database: mongo.Db) => Promise<R>,
): Promise<R> {
  const client = new mongo.MongoClient(uri, { ...connectionOptions, maxPoolSize: 1 });
  try {
    return await work(client.db(name));
  } finally {
    await client.close();
  }
}
