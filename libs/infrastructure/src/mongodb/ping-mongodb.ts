import { MongoClient } from 'mongodb';

/** @throws if no server answers within 2 s */
export async function pingMongodb(uri: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 2_000, maxPoolSize: 1 });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
}
