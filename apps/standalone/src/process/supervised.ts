import { setTimeout as delay } from 'node:timers/promises';
import type { Exit, RunningProgram } from '@moothall/infrastructure';

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** After running this long a program counts as healthy: its next restart is as quick as the first. */
const wellAfterMs = 60_000;

/** One of several successive processes with the same name. */
export interface Turn {
  /** 0 or 1, alternating: distinguishes a program from the one it replaces. */
  copy: number;
  /** Whether the former one still runs, and owns its exclusive resources. */
  isReplacing: boolean;
}

/** Starts a program, and resolves once it is ready; aborted by the signal. */
export type Launch = (signal: AbortSignal, turn: Turn) => Promise<RunningProgram>;

/** A program that is restarted after an unexpected end, with a delay that grows while this repeats. */
export class Supervised {
  private readonly stopping = new AbortController();
  private running: RunningProgram | undefined;
  private work: Promise<void> = Promise.resolve();
  private copy = 0;

  /** @param warn called with a message for the operator on every unexpected end and failed restart */
  constructor(
    readonly name: string,
    private readonly launch: Launch,
    private readonly warn: (message: string) => void,
  ) {}

  /** Resolves when it is ready for the first time. @throws errors of launch, without a retry */
  async start(): Promise<void> {
    const started = this.launchOnce();
    this.work = started.then(
      () => this.keepRunning(),
      () => {},
    );
    await started;
  }

  /** Resolves when nothing runs and nothing will be started. @param withinMs as in RunningProgram.stop */
  async stop(withinMs?: number): Promise<void> {
    this.stopping.abort();
    await this.running?.stop(withinMs);
    await this.work;
  }

  /** Starts a replacement, and stops the running program once the new one is ready. @throws errors of launch; the old one keeps running */
  async replace(): Promise<void> {
    const copy = 1 - this.copy;
    const next = await this.launch(this.stopping.signal, { copy, isReplacing: true });
    const before = this.running;
    this.running = next;
    this.copy = copy;
    await before?.stop();
    if (this.stopping.signal.aborted) await next.stop();
  }

  private async launchOnce(): Promise<void> {
    const { copy } = this;
    const program = await this.launch(this.stopping.signal, { copy, isReplacing: false });
    // It was stopped during its replacement: the replacement runs.
    if (copy !== this.copy) return program.stop();
    this.running = program;
    if (this.stopping.signal.aborted) await program.stop();
  }

  private async keepRunning(): Promise<void> {
    let delayMs = firstDelayMs;
    for (;;) {
      const since = Date.now();
      const watched = this.running;
      if (!watched) throw new Error(`${this.name} was not started`);
      const exit = await watched.exited;
      if (Date.now() - since > wellAfterMs) delayMs = firstDelayMs;
      if (this.stopping.signal.aborted) return;
      if (this.running !== watched) continue;
      this.warn(`${this.name} ended ${describe(exit)} and is started again`);
      delayMs = await this.relaunch(delayMs);
      if (this.stopping.signal.aborted) return;
    }
  }

  /** @returns the delay before the next restart */
  private async relaunch(firstDelay: number): Promise<number> {
    for (let delayMs = firstDelay; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      const nextDelayMs = Math.min(delayMs * 2, maxDelayMs);
      try {
        await delay(delayMs, undefined, { signal: this.stopping.signal });
        await this.launchOnce();
        return nextDelayMs;
      } catch (error) {
        if (this.stopping.signal.aborted) return nextDelayMs;
        this.warn(`${this.name} did not start: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
}

function describe({ code, signal }: Exit): string {
  return signal ? `by ${signal}` : `with code ${code}`;
}
