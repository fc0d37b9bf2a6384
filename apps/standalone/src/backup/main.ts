import path from 'node:path';
import { runCommand } from '../console/run-command';
import { dataFolderAt } from '../data-folder/open-data-folder';
import { StartError } from '../data-folder/start-error';
import { backUp } from './back-up';
import { explain } from './backup-error';
import { restore } from './restore';

const usage = `npm run backup -- <folder of backups>
npm run restore -- <backup>
The data folder is MOOTHALL_DATA_DIR, ./data unless set.
`;

/** `npm run backup` and `npm run restore`. Exit code 0: done; 1: failed, with one line; 2: wrong arguments. */
async function run([command, folder, ...rest]: readonly string[]): Promise<number | undefined> {
  if (folder === undefined || folder.startsWith('-') || rest.length > 0) return undefined;
  const dataFolder = path.resolve(process.env.MOOTHALL_DATA_DIR ?? 'data');
  const named = path.resolve(folder);
  if (command === 'backup') return sayMade(await backUp(dataFolder, named));
  if (command === 'restore')
    return sayRestored(await restore(named, dataFolderAt(dataFolder), process.env), dataFolder);
  return undefined;
}

function sayMade({ folder, head, newBytes, without }: Awaited<ReturnType<typeof backUp>>): number {
  const seconds = Math.ceil((Date.parse(head.finishedAt) - Date.parse(head.startedAt)) / 1000);
  const size = `${head.files} files, ${inMB(head.bytes)}, ${inMB(newBytes)} of it new`;
  process.stdout.write(`${folder} is the server as it was at ${head.at}: ${size}, in ${seconds} s.\n`);
  for (const part of without) process.stdout.write(`Not in it: ${part}, which are in a bucket.\n`);
  return 0;
}

function sayRestored({ at, files }: Awaited<ReturnType<typeof restore>>, dataFolder: string): number {
  process.stdout.write(`${dataFolder} is as it was at ${at}: ${files} files, all as they were written.\n`);
  return 0;
}

const inMB = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

runCommand({
  usage,
  run,
  explain: (error) => (error instanceof StartError ? error : explain(error))?.message,
});
