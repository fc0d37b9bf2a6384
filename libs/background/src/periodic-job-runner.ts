import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Gate } from './gate';
import { Lease, type LeaseOptions, type Records } from './lease';
import type { PeriodicJobDefinition } from './periodic-jobs';

export interface PeriodicJobRunnerOptions {
  /** Called after every run, for metrics. */
  onTurn?: (job: string, outcome: 'done' | 'failed', seconds: number) => void;
  onFailure?: (job: string, error: unknown) => void;
  /** Called when this process starts or stops running the jobs that one process runs for all. */
  onLeading?: (isLeading: boolean) => void;
  lease?: Omit<LeaseOptions, 'onLost'>;
  /** Less than 1 for shorter intervals, with at least half a second. */
  pace?: number;
}

/** Time between attempts to acquire the lease while the database is unavailable. */
const againAfterMs = 1000;
/** Poll interval of the other processes: short enough to take over within 10 s. */
const lookEveryMs = 2000;
/** The shortest interval at a faster pace. */
const soonestMs = 500;
/** Share by which intervals vary, so that processes that start together do not stay in step. */
const jitter = 0.1;

/**
 * Runs periodic jobs. A run that fails does not stop the next one. Jobs that one process runs for all
 * are run by the owner of the lease; the others wait, and take over if it stops or is silent.
 */
export class PeriodicJobRunner {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>[] = [];
  private readonly gate = new Gate();
  private readonly options: Required<PeriodicJobRunnerOptions>;

  /** @param service whose processes share the work */
  constructor(
    private readonly leases: Records,
    private readonly service: string,
    options: PeriodicJobRunnerOptions = {},
  ) {
    const ignore = () => undefined;
    this.options = { onTurn: ignore, onFailure: ignore, onLeading: ignore, lease: {}, pace: 1, ...options };
    setMaxListeners(0, this.stopping.signal);
  }

  start(jobs: readonly PeriodicJobDefinition[]): void {
    const shared = jobs.filter(({ byEach }) => !byEach);
    const own = jobs.filter(({ byEach }) => byEach);
    const always = async () => true;
    this.running.push(...own.map((job) => this.repeat(job, this.stopping.signal, always)));
    if (shared.length > 0) this.running.push(this.leadWheneverFree(shared));
  }

  /** Starts no new run, finishes the current one, and releases the lease. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  /** Starts no run until it is released. Resolves when running ones have ended. */
  hold(): Promise<void> {
    return this.gate.close();
  }

  release(): void {
    this.gate.open();
  }

  private async leadWheneverFree(jobs: readonly PeriodicJobDefinition[]): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.lead(jobs);
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        this.options.onFailure('lease', error);
        await this.pause(againAfterMs, this.stopping.signal);
      }
    }
  }

  private async lead(jobs: readonly PeriodicJobDefinition[]): Promise<void> {
    const lost = new AbortController();
    const lease = new Lease(this.leases, `sweeps of ${this.service}`, {
      lookEveryMs: Math.max(soonestMs, lookEveryMs * this.options.pace),
      ...this.options.lease,
      onLost: () => lost.abort(),
    });
    await lease.take(undefined, this.stopping.signal);
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    setMaxListeners(0, signal);
    this.options.onLeading(true);
    const leads = () => lease.isCertain();
    await Promise.all(jobs.map((job) => this.repeat(job, signal, leads)));
    this.options.onLeading(false);
    await lease.giveUp();
  }

  /** @param mayBegin checked before each run: this process may have been suspended since the last one */
  private async repeat(
    job: PeriodicJobDefinition,
    signal: AbortSignal,
    mayBegin: () => Promise<boolean>,
  ): Promise<void> {
    while (!signal.aborted) {
      await this.gate.pass(async () => {
        if (!signal.aborted && (await mayBegin())) await this.turn(job, signal);
      });
      await this.pause(this.pauseMsOf(job) * (1 - jitter + 2 * jitter * Math.random()), signal);
    }
  }

  private pauseMsOf({ everySeconds }: PeriodicJobDefinition): number {
    const usualMs = everySeconds * 1000;
    return Math.min(usualMs, Math.max(soonestMs, usualMs * this.options.pace));
  }

  private async turn({ name, run }: PeriodicJobDefinition, signal: AbortSignal): Promise<void> {
    const begunAt = performance.now();
    const outcome = await run(signal).then(
      () => 'done' as const,
      (error: unknown) => {
        this.options.onFailure(name, error);
        return 'failed' as const;
      },
    );
    this.options.onTurn(name, outcome, (performance.now() - begunAt) / 1000);
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
