import type { Connection } from 'mongoose';

/**
 * The database's clock, as `$currentDate` writes it: what one process notes and another measures is not to depend on
 * whether their machines agree what time it is.
 */
export async function databaseTime(connection: Connection): Promise<Date> {
  return (await connection.getClient().db().admin().command({ hello: 1 })).localTime;
}
