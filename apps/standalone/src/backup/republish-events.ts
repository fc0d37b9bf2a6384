import { createReadStream, existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { readEnv } from '@moothall/config';
import type { UnfollowedEvent } from '@moothall/messaging';

/**
 * After a restore: publishes the events that were not processed at the time of the backup, before new ones are
 * processed. If it is killed, it starts again: an event may come twice.
 */
export async function republishEvents(file: string, natsUrl: string): Promise<void> {
  if (!existsSync(file)) return;
  const { connectNats, ensureEventStream, eventSettings, securityOf, UnprocessedEvents } = await import(
    '@moothall/messaging'
  );
  const connection = await connectNats(natsUrl, 'restore', securityOf(process.env));
  try {
    // The services update the other settings of the stream.
    const { EVENT_STORAGE: storage } = readEnv({ EVENT_STORAGE: eventSettings.EVENT_STORAGE });
    await ensureEventStream(await connection.jetstreamManager(), { storage });
    const events = new UnprocessedEvents(connection);
    for await (const line of createInterface({ input: createReadStream(file) }))
      await events.send(JSON.parse(line) as UnfollowedEvent);
  } finally {
    await connection.close();
  }
  rmSync(file);
}
