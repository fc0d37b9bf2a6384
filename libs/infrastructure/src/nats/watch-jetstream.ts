import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'nats';
import type { RunningProgram } from '../program/start-program';
import { readNatsUrl } from './start-nats';

const lookEveryMs = 500;
const patienceMs = 1_500;
/** A server that is this quick is not busy. */
const promptMs = 500;
/** A busy machine is late several times in a row. */
const silentLooks = 20;
/** A JetStream that says nothing beside a server that is prompt is not late. */
const deafLooks = 4;

/**
 * Ends a nats-server whose JetStream answers nobody any more, so that its supervisor starts it again: a full disk leaves
 * it so, also once there is room. What it has acknowledged is there after the start. Resolves when the server has ended;
 * never rejects.
 */
export async function watchJetStream(program: RunningProgram, address: string, everyMs = lookEveryMs): Promise<void> {
  const ended = program.exited.then(() => true as const);
  for (let silent = 0, deaf = 0; silent < silentLooks && deaf < deafLooks; ) {
    if (await Promise.race([ended, wait(everyMs, false, { ref: false })])) return;
    const seen = await look(address).catch(() => 'silent' as const);
    silent = seen === 'answers' ? 0 : silent + 1;
    deaf = seen === 'deaf' ? deaf + 1 : 0;
  }
  // Asked to stop, it would wait for what it waits for already.
  await program.stop(0);
}

/** @throws where the server itself does not answer */
async function look(address: string): Promise<'answers' | 'deaf' | 'silent'> {
  const since = performance.now();
  const connection = await connect({ ...readNatsUrl(address), reconnect: false, timeout: patienceMs });
  // Afterwards would be too late: a connection that has asked a deaf JetStream hangs.
  const isPrompt = performance.now() - since < promptMs;
  try {
    await connection.jetstreamManager({ timeout: patienceMs });
    return 'answers';
  } catch {
    return isPrompt ? 'deaf' : 'silent';
  } finally {
    await connection.close();
  }
}
