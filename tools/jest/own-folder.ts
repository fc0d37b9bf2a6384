import { tmpdir } from 'node:os';
import path from 'node:path';
// Not by its package name, which resolves only after a build.
import {
  removeAbandonedFolders,
  removeTemporaryFolder,
  temporaryFolder,
} from '../../libs/processes/src/temporary-folder';

/*
 * Gives tests a temporary folder of their own through TMPDIR: files of tests and their programs are removed with it.
 * Folders of killed runs are removed by the next run, after their programs are ended.
 */
export async function open(): Promise<void> {
  await removeAbandonedFolders();
  // Short, because socket paths have a length limit.
  process.env.TMPDIR = temporaryFolder('t');
}

export async function remove(): Promise<void> {
  const folder = tmpdir();
  // Never a folder of something else.
  if (!path.basename(folder).startsWith('moothall-t-')) return;
  process.env.TMPDIR = path.dirname(folder);
  await removeTemporaryFolder(folder);
}
