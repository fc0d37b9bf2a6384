import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPidFile } from '@moothall/processes';

const ownerFile = 'owner.pid';

/** @returns the names of files of this process in temporary folders with a purpose */
export async function ownTemporaryFiles(purpose: string): Promise<string[]> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(`moothall-${purpose}-`));
  const files = await Promise.all(folders.map((name) => filesOfOwn(path.join(tmpdir(), name))));
  return files.flat();
}

async function filesOfOwn(folder: string): Promise<string[]> {
  if (readPidFile(path.join(folder, ownerFile)) !== process.pid) return [];
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name !== ownerFile);
}
