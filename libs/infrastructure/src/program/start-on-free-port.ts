import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ProgramError, type RunningProgram } from './start-program';

/** Systems take the ports of outgoing connections from above these. */
const lowestPort = 10_000;
const endOfPorts = 32_000;

/**
 * A port that was free a moment ago, outside the range that the system uses for outgoing connections: a program may
 * start to listen there later, and again after a crash.
 * @throws the error of listening, except for used ports
 */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(lowestPort, endOfPorts);
    if (await isFree(host, port)) return port;
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/**
 * Starts a program on a free port. If another program takes the port first, it tries another one.
 * @returns the program and its port
 */
export async function startOnFreePort(
  start: (port: number) => Promise<RunningProgram>,
): Promise<{ program: RunningProgram; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { program: await start(port), port };
    } catch (error) {
      if (attempt === 5 || !isPortTaken(error)) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof ProgramError && error.lastLines.some((line) => /address already in use/i.test(line));
}
