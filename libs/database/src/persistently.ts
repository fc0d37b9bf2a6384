import { setTimeout as wait } from 'node:timers/promises';
import { databaseRefusal } from './database-refusal';

/** Called before each try. */
const pausesMs = [0, 50, 250];

/**
 * Does follow-up work of something that cannot be undone, and retries it if the database fails for a moment. It may
 * run twice, so it must be idempotent.
 */
export async function persistently<R>(work: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === pausesMs.length || !databaseRefusal(error)) throw error;
      await wait(pausesMs[tries]);
    }
  }
}
