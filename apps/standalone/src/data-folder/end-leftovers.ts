import { readdirSync } from 'node:fs';
import path from 'node:path';
import { endLeftover } from '@moothall/processes';
import { lockFile } from './lock-data-folder';

/** Ends all processes that a killed run left; it may have had other processes than this one. */
export async function endLeftovers(runFolder: string): Promise<void> {
  const files = readdirSync(runFolder).filter((name) => name.endsWith('.pid') && name !== lockFile);
  await Promise.all(files.map((name) => endLeftover(path.join(runFolder, name))));
}
