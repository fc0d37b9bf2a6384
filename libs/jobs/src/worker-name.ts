import { hostname } from 'node:os';

/** The process that works on a queue, in the name of its Redis connection, which ends with the process. */
export interface WorkerName {
  hostname: string;
  pid: number;
  startedAt: Date;
  /** Jobs of the queue that it does at the same time. */
  concurrency: number;
}

const prefix = 'moothall';
const startedMs = Math.round(Date.now() - process.uptime() * 1000);
/** Redis takes no blanks there. */
const host = hostname().replace(/[^\w.-]/g, '-');
const form = /^(.+)\.(\d{1,10})\.(\d{1,15})\.(\d{1,5})$/;

/** What this process is called where it does so many jobs of a queue at the same time. */
export const workerName = (concurrency: number): string => `${host}.${process.pid}.${startedMs}.${concurrency}`;

/** @returns undefined for what is no such name */
export function readWorkerName(name: string): WorkerName | undefined {
  const [, hostname, pid, started, concurrency] = form.exec(name) ?? [];
  if (hostname === undefined) return undefined;
  return { hostname, pid: Number(pid), startedAt: new Date(Number(started)), concurrency: Number(concurrency) };
}

/** Names of workers by their queues, of a list of connections as Redis gives it. Source: BullMQ, `clientName`. */
export function workersOf(clientList: string): { queue: string; name: string }[] {
  const names = [...clientList.matchAll(/ name=([^ ]+)/g)].map(([, name = '']) => name);
  const found = [...new Set(names)].flatMap((name) => {
    const [start, queue, mark, ...worker] = name.split(':');
    if (start !== prefix || mark !== 'w' || queue === undefined) return [];
    return [{ queue: Buffer.from(queue, 'base64').toString(), name: worker.join(':') }];
  });
  return found.toSorted((a, b) => (a.queue < b.queue ? -1 : 1));
}
