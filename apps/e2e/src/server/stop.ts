import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type {} from './start';

export default async function stop(): Promise<void> {
  const server = globalThis.startedServer;
  if (!server) return;
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  const [code] = await exited;
  rmSync(server.dataFolder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`the server did not stop cleanly: exit code ${code}`);
}
