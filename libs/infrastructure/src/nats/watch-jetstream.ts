import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'nats';
import type { RunningProgram } from '../program/start-program';
import { readNatsUrl } from './start-nats';

const lookEveryMs = 500;
const patienceMs = 1_500;
/** A server that answers within this time is not busy. */
const promptMs = 500;
/** A busy machine is late several times in a row. */
const silentLooks = 20;
/** JetStream does not answer beside a fast server for this time: it hangs. */
const deafLooks = 4;

/**
 * Stops a nats-server whose JetStream no longer answers, so that its supervisor restarts it: a full disk causes that,
 * even after there is space again. It has every acknowledged message after the restart. Resolves when the server has
 * ended; never rejects.
 */
export async function watchJetStream(program: RunningProgram, address: string, everyMs = lookEveryMs): Promise<void> {
  const ended = program.exited.then(() => true as const);
  for (let silent = 0, deaf = 0; silent < silentLooks && deaf < deafLooks; ) {
    if (await Promise.race([ended, wait(everyMs, false, { ref: false })])) return;
    const seen = await look(address).catch(() => 'silent' as const);
    silent = seen === 'answers' ? 0 : silent + 1;
    deaf = seen === 'deaf' ? deaf + 1 : 0;
  }
  // After SIGTERM it would wait for the same hanging requests.
  await program.stop(0);
}

/** @throws if the server itself does not answer */
async function look(address: string): Promise<'answers' | 'deaf' | 'silent'> {
  const since = performance.now();
  const connection = await connect({ ...readNatsUrl(address), reconnect: false, timeout: patienceMs });
  // Later would be too late: a connection with a request to a hanging JetStream hangs too.
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
