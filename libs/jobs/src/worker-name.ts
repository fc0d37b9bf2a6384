import { hostname } from 'node:os';

/** The process that works on a queue, in the name of its Redis connection, which ends with the process. */
export interface WorkerName {
  hostname: string;
  pid: number;
  startedAt: Date;
  /** Jobs of the queue that it runs at the same time. */
  concurrency: number;
}

const prefix = 'moothall';
const startedMs = Math.round(Date.now() - process.uptime() * 1000);
/** Redis allows no blanks there. */
const host = hostname().replace(/[^\w.-]/g, '-');
const form = /^(.+)\.(\d{1,10})\.(\d{1,15})\.(\d{1,5})$/;

/** The name of this process as a worker with this concurrency. */
export const workerName = (concurrency: number): string => `${host}.${process.pid}.${startedMs}.${concurrency}`;

/** @returns undefined if it is not the name of a worker */
export function readWorkerName(name: string): WorkerName | undefined {
  const [, hostname, pid, started, concurrency] = form.exec(name) ?? [];
  if (hostname === undefined) return undefined;
  return { hostname, pid: Number(pid), startedAt: new Date(Number(started)), concurrency: Number(concurrency) };
}

/** Names of workers by their queues, from the list of connections of Redis. Source: BullMQ, `clientName`. */
export function workersOf(clientList: string): { queue: string; name: string }[] {
  const names = [...clientList.matchAll(/ name=([^ ]+)/g)].map(([, name = '']) => name);
  const found = [...new Set(names)].flatMap((name) => {
    const [start, queue, mark, ...worker] = name.split(':');
    if (start !== prefix || mark !== 'w' || queue === undefined) return [];
    return [{ queue: Buffer.from(queue, 'base64').toString(), name: worker.join(':') }];
  });
  return found.toSorted((a, b) => (a.queue < b.queue ? -1 : 1));
}
