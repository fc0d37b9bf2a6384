import { mongo } from 'mongoose';
import { connectionOptions } from './connection-options';

/**
 * Reads through a separate connection, which is closed at the end: for threads, which cannot share one with their
 * process. It is imported from `@moothall/database/while-connected`, since loading the rest takes 60 MB more in a
 * thread.
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
