import { setTimeout as wait } from 'node:timers/promises';
import type { RunningProgram } from '../program/start-program';
import { ping } from './start-nats';

const lookEveryMs = 3_000;
/** A busy machine is late several times in a row. */
const silentLooks = 10;

/**
 * Ends a nats-server whose JetStream answers nobody any more, so that its supervisor starts it again: a full disk leaves
 * it so, also once there is room. What it has acknowledged is there after the start. Resolves when the server has ended;
 * never rejects.
 */
export async function watchJetStream(program: RunningProgram, address: string, everyMs = lookEveryMs): Promise<void> {
  const ended = program.exited.then(() => true as const);
  for (let silent = 0; silent < silentLooks; ) {
    if (await Promise.race([ended, wait(everyMs, false, { ref: false })])) return;
    silent = await ping(address).then(
      () => 0,
      () => silent + 1,
    );
  }
  await program.stop();
}
