import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { identifyProcess } from '@moothall/processes';

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
  identity: identifyProcess(process.pid) ?? '',
  place: thisPlace(),
});

/** Whether a process has ended for certain. From another machine or container that cannot be seen: false. */
export const isGone = ({ pid, identity, place }: Owner): boolean =>
  place === thisPlace() && identifyProcess(pid) !== identity;

export const describeOwner = ({ host, pid, place }: Owner): string =>
  place === thisPlace() ? `process ${pid}` : `process ${pid} on ${host}`;

function thisPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
