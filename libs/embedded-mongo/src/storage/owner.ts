import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, so that others can see whether it still runs. */
export interface Owner {
  host: string;
  pid: number;
  /** Distinguishes it from a later process with that number. */
  identity: string;
  /** Where that process id is valid: the boot of the machine, and the container. */
  place: string;
}

export const thisProcess = (): Owner => ({
  host: hostname(),
  pid: process.pid,
  identity: identify(process.pid) ?? '',
  place: thisPlace(),
});

export const isHere = ({ place }: Owner): boolean => place === thisPlace();

/** Whether a process has ended for certain. From another machine or container that cannot be seen: false. */
export const isGone = (owner: Owner): boolean => isHere(owner) && identify(owner.pid) !== owner.identity;

export const describeOwner = (owner: Owner): string =>
  isHere(owner) ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;

function thisPlace(): string {
  try {
    return `${bootId()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

/** The start time of a process, if the system provides it; undefined if it does not exist. */
function identify(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? identifyByProc(pid) : identifyByPs(pid);
  } catch {
    return undefined;
  }
}

function identifyByProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field, the name in parentheses, may contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAtTicks] = [fields[0], fields[19]];
  // A zombie is dead and only waits for its parent.
  return state === 'Z' || state === 'X' ? undefined : `${bootId()}/${startedAtTicks}`;
}

function identifyByPs(pid: number): string | undefined {
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
}
