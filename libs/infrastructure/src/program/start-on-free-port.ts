import { createServer } from 'node:net';
import { ProgramError, type RunningProgram } from './start-program';

/** @returns a port of 127.0.0.1 that was free a moment ago */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/**
 * Starts a program on a free port. Somebody else may take the port before the program does; then another one is tried.
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
