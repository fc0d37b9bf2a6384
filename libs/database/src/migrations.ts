import { describeOwner, Lease } from '@moothall/background';
import { Logger } from '@nestjs/common';
import type { Connection } from 'mongoose';

/** A change of what earlier versions stored. */
export interface Migration {
  /** Stays as it is, since it is what is recorded; begins with the day it was written, which is the order. */
  name: string;
  /**
   * Does no harm when it is done twice, or half and then again. Replicas of the version before read and write meanwhile,
   * so it adds and mends; what they still need is removed by the version after.
   */
  run(connection: Connection): Promise<void>;
}

interface Done {
  _id: string;
  doneAt: Date;
}

const log = new Logger('migrations');

/**
 * Runs what has not been run on this database yet, in order, by one process at a time: others wait. What failed is tried
 * again by the next process that starts.
 * @returns names of those that this process has run
 * @throws what a migration throws: a service that needs it does not start
 */
export async function migrate(connection: Connection, migrations: readonly Migration[]): Promise<string[]> {
  if ((await pending(connection, migrations)).length === 0) return [];
  const lease = new Lease(connection.collection('leases'), 'migrations');
  await lease.take((holder) => log.log(`${describeOwner(holder)} brings the database up to date`));
  try {
    const ran: string[] = [];
    for (const migration of await pending(connection, migrations)) {
      await migration.run(connection);
      await record(connection, migration);
      log.log(`${migration.name} is done`);
      ran.push(migration.name);
    }
    return ran;
  } finally {
    await lease.giveUp();
  }
}

async function pending(connection: Connection, migrations: readonly Migration[]): Promise<Migration[]> {
  const done = await connection.collection<Done>('migrations').find({}).toArray();
  const names = new Set(done.map(({ _id }) => _id));
  return migrations.filter(({ name }) => !names.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function record(connection: Connection, { name: _id }: Migration): Promise<void> {
  await connection
    .collection<Done>('migrations')
    .updateOne({ _id }, { $setOnInsert: { doneAt: new Date() } }, { upsert: true });
}
