import { describeOwner, Lease } from '@moothall/background';
import { Logger } from '@nestjs/common';
import type { Connection } from 'mongoose';

/** A change of documents of earlier versions. */
export interface Migration {
  /** Never changes, since it is recorded; begins with its date, which defines the order. */
  name: string;
  /**
   * Must be idempotent, also after an interruption. Replicas of the previous version read and write meanwhile, so it
   * adds and repairs; the next version removes what they still need.
   */
  run(connection: Connection): Promise<void>;
}

interface Done {
  _id: string;
  doneAt: Date;
}

const log = new Logger('migrations');

/**
 * Runs migrations that have not run on this database, in order, in one process at a time: others wait. The next
 * process that starts retries a failed one.
 * @returns names of those that this process has run
 * @throws the error of a migration: the service does not start
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
