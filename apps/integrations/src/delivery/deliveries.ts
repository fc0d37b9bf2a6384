import { randomUUID } from 'node:crypto';
import { Sweeps } from '@moothall/background';
import { Jobs, jobQueue } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { DeliveryRecords, type NewDelivery } from './delivery.repository';
import { Lines } from './line.repository';
import type { Line, LineJob, LineRun } from './line.schema';

/** One job for each line that has something to send; see docs/adr/0012-deliveries.md. */
export const lineJobs = jobQueue<LineJob>({ name: 'integrations.lines', concurrency: 64 });

/** A call is given up after seconds. */
const jobsPerCall = 500;

/** Ten thousand hooks in one go would keep everybody else waiting. */
const addedAtOnce = 1_000;

type Queued = LineJob & { delaySeconds?: number };

const jobIdOf = ({ line, holder }: LineJob): string => `${line}-${holder}`;

/** Takes what subscribers are to be told; it is sent from the queue, in the order of adding, for each line. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly records: DeliveryRecords,
    private readonly lines: Lines,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Resolves when all of it is stored. What was added before under the same line and key is added once. Lines that are
   * switched off take nothing.
   */
  async add(added: readonly NewDelivery[]): Promise<void> {
    for (let from = 0; from < added.length; from += addedAtOnce)
      await this.addSome(added.slice(from, from + addedAtOnce), from);
  }

  private async addSome(added: readonly NewDelivery[], behind: number): Promise<void> {
    const names = [...new Set(added.map(({ line }) => line))];
    const off = await this.lines.off(names);
    const open = added.filter(({ line }) => !off.has(line));
    if (open.length === 0) return;
    await this.records.add(open);
    await this.wake(
      names.filter((line) => !off.has(line)),
      behind,
    );
  }

  /** Has what waits in lines sent, unless somebody is at it. */
  private async wake(names: string[], behind: number): Promise<void> {
    const holder = randomUUID();
    const wanted = await this.lines.want(names, holder);
    await this.queue(
      wanted.map((line) => ({ line, holder })),
      behind,
    );
  }

  /** Gives a line to a new job, at the end of the queue. */
  async handOver(from: LineJob & Partial<LineRun>, delaySeconds = 0): Promise<void> {
    const { line } = from;
    const next = randomUUID();
    if (await this.lines.handOver(from, next)) await this.queue([{ line, holder: next, delaySeconds }]);
  }

  /** Its receiver does well again, or is another: what waits for it goes out at once. */
  async mend(line: string): Promise<void> {
    const before = await this.lines.mend(line);
    if (before?.holder && before.retryAt) await this.handOver({ line, holder: before.holder });
  }

  /** Of many at once, those behind let others go between: a thousand hooks of one place hold up nobody else. */
  private async queue(lines: readonly Queued[], behind = 0): Promise<void> {
    const jobs = lines.map(({ line, holder, delaySeconds = 0 }, at) => {
      const data = { line, holder };
      return { data, id: jobIdOf(data), delaySeconds, behind: behind + at };
    });
    for (let from = 0; from < jobs.length; from += jobsPerCall)
      await this.jobs.addAll(lineJobs, jobs.slice(from, from + jobsPerCall));
  }

  /** What Redis has lost is queued again; what it has is left as it is. */
  @Sweeps('lines', { everySeconds: 20 })
  async sweep(signal: AbortSignal): Promise<void> {
    for await (const some of inBatches(this.lines.held(), jobsPerCall)) {
      if (signal.aborted) return;
      await this.queue(some.flatMap(queuedOf));
    }
  }

  /** A subscriber is gone, and with it what it was told. */
  async forget(line: string): Promise<void> {
    await this.lines.remove(line);
    await this.records.forget(line);
  }
}

function queuedOf({ _id, holder, retryAt }: Line): Queued[] {
  const delaySeconds = Math.max(0, ((retryAt?.getTime() ?? 0) - Date.now()) / 1000);
  return holder === null ? [] : [{ line: _id, holder, delaySeconds }];
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
