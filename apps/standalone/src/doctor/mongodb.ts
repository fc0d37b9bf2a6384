import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, mongo } from 'mongoose';
import { compareClocks } from './clock';
import { type Check, fault, fine, warning } from './finding';
import type { Installation } from './installation';

/** Owners renew a lease every two seconds. */
const beatMs = 4000;

export const mongodbChecks = ({ mongodbUri }: Installation): Check[] =>
  mongodbUri === undefined
    ? []
    : [
        { about: 'MongoDB', look: () => connected(mongodbUri, lookAt) },
        { about: 'leases', look: () => connected(mongodbUri, leases) },
      ];

async function connected<T>(uri: string, work: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  const connection = createConnection(uri, { serverSelectionTimeoutMS: 5000 });
  await connection.asPromise();
  return work(connection.getClient()).finally(() => connection.close());
}

async function lookAt(client: mongo.MongoClient) {
  const admin = client.db('admin');
  const askedAt = Date.now();
  const hello = await admin.command({ hello: 1 });
  const { version } = await admin.command({ buildInfo: 1 });
  const isAlone = hello.setName === undefined && hello.msg !== 'isdbgrid';
  return [
    fine(`MongoDB ${version} answers${isAlone ? ', a single server' : ''}.`),
    compareClocks('MongoDB', (hello.localTime as Date).getTime(), askedAt),
  ];
}

/** Leases of periodic jobs and storages: each has a live owner. */
async function leases(client: mongo.MongoClient) {
  const before = await beats(client);
  await delay(beatMs);
  const after = await beats(client);
  const still = [...after].filter(([name, beat]) => before.get(name) === beat).map(([name]) => name);
  if (after.size === 0) return [fault('No process holds a lease: no service runs.')];
  if (still.length > 0) return [warning(`Nobody renews ${still.join(', ')}: a process hangs, or was lost just now.`)];
  return [fine(`${after.size} leases are held and renewed.`)];
}

async function beats(client: mongo.MongoClient): Promise<Map<string, string>> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  const found = await Promise.all(
    databases.map(async ({ name }) => {
      const records = await client
        .db(name)
        .collection<{ _id: string; beat?: number; owner?: unknown }>('leases')
        .find()
        .toArray();
      return records.flatMap(({ _id, beat, owner }): [string, string][] =>
        beat === undefined ? [] : [[_id, JSON.stringify([owner, beat])]],
      );
    }),
  );
  return new Map(found.flat());
}
