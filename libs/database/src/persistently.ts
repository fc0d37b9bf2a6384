import { setTimeout as wait } from 'node:timers/promises';
import { databaseRefusal } from './database-refusal';

/** Before each try. */
const pausesMs = [0, 50, 250];

/**
 * Does what follows from something that cannot be taken back: once more where the database fails for a moment. It may
 * be done twice, which must do no harm.
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
