import { startService } from '@moothall/service';
import { eventually, type ServiceUnderTest } from '@moothall/testing';
import { MongoClient } from 'mongodb';
import { service } from '../src';
import { startIdentity } from './service-under-test';

let identity: ServiceUnderTest;
let client: MongoClient;
beforeAll(async () => {
  identity = await startIdentity();
  client = await new MongoClient(identity.env.MONGODB_URI!).connect();
});
afterAll(async () => {
  await client?.close();
  await identity?.stop();
});

/** Connections of this process to NATS. Those to Redis are opened on demand. */
function connections(): number {
  const port = Number(new URL(identity.env.NATS_URL!).port);
  const handles = (process as unknown as { _getActiveHandles(): { remotePort?: number }[] })._getActiveHandles();
  return handles.filter(({ remotePort }) => remotePort === port).length;
}

// Regression: it started without a warning, and two users with the same name could be created.
it('does not start without its unique indexes, and logs which cannot be built', async () => {
  const env = { ...identity.env, MONGODB_PREFIX: `${identity.env.MONGODB_PREFIX}_twice` };
  const users = client
    .db(`${env.MONGODB_PREFIX}_identity`)
    .collection<{ _id: number; usernameKey: string; emailKeys: string[] }>('users');
  await users.insertMany([1, 2].map((_id) => ({ _id, usernameKey: 'ada', emailKeys: [`${_id}@example.com`] })));
  const before = connections();
  await expect(startService(service, env)).rejects.toThrow(/unique index {"usernameKey":1} of users cannot be built/);
  // Open connections would keep its process running.
  await eventually(() => connections() === before);
  await users.deleteOne({ _id: 2 });
  const running = await startService(service, env);
  await expect(users.insertOne({ _id: 3, usernameKey: 'ada', emailKeys: ['3@example.com'] })).rejects.toThrow(/E11000/);
  await running.stop();
});
