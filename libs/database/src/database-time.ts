import type { Connection } from 'mongoose';

/**
 * The time of the database, as `$currentDate` writes it, so that times of several processes do not depend on the
 * clocks of their machines.
 */
export async function databaseTime(connection: Connection): Promise<Date> {
  return (await connection.getClient().db().admin().command({ hello: 1 })).localTime;
}
