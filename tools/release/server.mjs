/** Starts a server for a rehearsal, on its own port and data folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const readyWithinMs = 120_000;

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/**
 * Starts it with a minimal environment: PATH only.
 * @param isReady polled until it returns true
 * @param user uid and gid, if not those of this process
 * @returns the time until it was ready, and a function to end it
 */
export async function startServer([program, ...args], { cwd, env, isReady, user = {} }) {
  const { PATH, HOME = cwd } = process.env;
  const startedAt = Date.now();
  const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2], env: { PATH, HOME, ...env }, ...user });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  try {
    await untilReady(isReady, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { seconds: ((Date.now() - startedAt) / 1000).toFixed(1), stop };
}

async function untilReady(isReady, child) {
  for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await delay(200)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (await isReady().catch(() => false)) return;
  }
  throw new Error(`it was not ready within ${readyWithinMs / 1000} s`);
}
