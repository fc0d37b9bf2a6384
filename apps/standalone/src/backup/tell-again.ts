import { createReadStream, existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readEnv } from '@moothall/config';
import type { UnfollowedEvent } from '@moothall/messaging';

/**
 * After a restore: tells the events that had not been followed at the moment of the backup, before anybody follows new
 * ones. Killed meanwhile it begins again, as an event may come twice.
 */
export async function tellAgain(file: string, natsUrl: string): Promise<void> {
  if (!existsSync(file)) return;
  const { connectNats, ensureEventStream, eventSettings, securityOf, UnfollowedEvents } = await import(
    '@moothall/messaging'
  );
  const connection = await connectNats(natsUrl, 'restore', securityOf(process.env));
  try {
    // What else is set is brought up to date by the services.
    const { EVENT_STORAGE: storage } = readEnv({ EVENT_STORAGE: eventSettings.EVENT_STORAGE });
    await ensureEventStream(await connection.jetstreamManager(), { storage });
    const events = new UnfollowedEvents(connection);
    for await (const line of createInterface({ input: createReadStream(file) }))
      await events.send(JSON.parse(line) as UnfollowedEvent);
  } finally {
    await connection.close();
  }
  rmSync(file);
}
