import { execFileSync } from 'node:child_process';
import { statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { findProgram, identifyProcess } from '@moothall/processes';
import { type Check, fault, fine, warning } from './finding';
import type { Installation } from './installation';

const GB = 1024 ** 3;
/** Below this the database soon refuses to write. */
const leastBytes = GB / 2;
const fewBytes = 5 * GB;

/** Checks of the machine. */
export const machineChecks = ({ dataFolder, pid }: Installation): Check[] => [
  { about: 'Node', look: async () => [nodeVersion()] },
  ...(dataFolder === undefined
    ? []
    : [
        { about: 'programs', look: async () => [programs()] },
        { about: 'process', look: async () => [running(pid)] },
        { about: 'disk', look: async () => [roomIn(dataFolder)] },
        { about: 'secrets', look: async () => [isPrivate(path.join(dataFolder, 'secrets.json'))] },
      ]),
];

function nodeVersion() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const says = `This is Node ${process.versions.node}`;
  return major >= 22 ? fine(`${says}.`) : warning(`${says}, which is mended no more; 24 is what the image runs.`);
}

function programs() {
  const missing = ['git', 'bzip2', 'pigz'].filter((name) => findProgram(name) === undefined);
  if (missing.length > 0) return fault(`Not installed: ${missing.join(', ')}.`);
  return fine(`${execFileSync('git', ['--version'], { encoding: 'utf8' }).trim()}, bzip2 and pigz are installed.`);
}

function running(pid: number | undefined) {
  if (pid !== undefined && identifyProcess(pid) !== undefined) return fine(`The server runs as process ${pid}.`);
  return fault('The server is not running: the process in connection.json has ended.');
}

function roomIn(folder: string) {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const says = `${inGB(free)} of ${inGB(blocks * bsize)} are free where ${folder} is`;
  if (free < leastBytes) return fault(`${says}. Writes are refused, or will be soon: make room.`);
  return free < fewBytes ? warning(`${says}. Make room before writes are refused.`) : fine(`${says}.`);
}

const inGB = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`;

function isPrivate(file: string) {
  const others = statSync(file).mode & 0o077;
  return others === 0
    ? fine('No other user can read secrets.json.')
    : warning(`Other users can read ${file}: run chmod 600.`);
}
