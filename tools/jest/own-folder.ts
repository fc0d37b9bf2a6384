import { tmpdir } from 'node:os';
import path from 'node:path';
// Not by its name, under which it is found only once it is built.
import {
  removeAbandonedFolders,
  removeTemporaryFolder,
  temporaryFolder,
} from '../../libs/processes/src/temporary-folder';

/*
 * Tests have a temporary folder of their own, by TMPDIR: whatever they, and what they start, leave in it goes with it.
 * Those of runs that were killed go with the next one, after the programs that were started in them.
 */
export async function open(): Promise<void> {
  await removeAbandonedFolders();
  // Short, since paths of sockets are.
  process.env.TMPDIR = temporaryFolder('t');
}

export async function remove(): Promise<void> {
  const folder = tmpdir();
  // Never one that is somebody else's.
  if (!path.basename(folder).startsWith('moothall-t-')) return;
  process.env.TMPDIR = path.dirname(folder);
  await removeTemporaryFolder(folder);
}
