import { createReadStream, existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { WaitingJob } from '@moothall/jobs';

/** Queues that are not filled from a database: their jobs wait for the mail server. */
export const mailQueues = ['identity.account-mails', 'projects.mails'];

export async function* waitingMails(redisUrl: string): AsyncGenerator<WaitingJob> {
  const jobs = await open(redisUrl);
  try {
    for (const queue of mailQueues) yield* jobs.list(queue);
  } finally {
    await jobs.close();
  }
}

/** After a restore: queues the mails that waited at the time of the backup. If it is killed, it starts again. */
export async function queueMailsAgain(file: string, redisUrl: string): Promise<void> {
  if (!existsSync(file)) return;
  const jobs = await open(redisUrl);
  try {
    for await (const line of createInterface({ input: createReadStream(file) }))
      await jobs.add(JSON.parse(line) as WaitingJob);
  } finally {
    await jobs.close();
  }
  rmSync(file);
}

/** Loaded on first use: the supervisor needs it only after a restore. */
async function open(redisUrl: string) {
  const { WaitingJobs } = await import('@moothall/jobs');
  return new WaitingJobs(redisUrl);
}
