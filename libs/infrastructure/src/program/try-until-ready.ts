import { setTimeout as delay } from 'node:timers/promises';

/**
 * Repeats an attempt, 10 ms apart, until it succeeds.
 * @throws the attempt's last error once the signal has fired
 */
export async function tryUntilReady(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(10);
    }
  }
}
