import { once } from 'node:events';
import { removeTemporaryFolder } from '@moothall/processes';
import * as ownFolder from '../../../../tools/jest/own-folder';
import type {} from './start';

export default async function stop(): Promise<void> {
  const server = globalThis.startedServer;
  if (!server) return;
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  const [code] = await exited;
  globalThis.collector?.stop();
  await removeTemporaryFolder(server.dataFolder);
  await ownFolder.remove();
  if (code !== 0) throw new Error(`the server did not stop cleanly: exit code ${code}`);
}
