import { setTimeout as delay } from 'node:timers/promises';
import type { Exit, RunningProgram } from '@moothall/infrastructure';

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** Who ran this long is well again: the next end is answered as quickly as the first. */
const wellAfterMs = 60_000;

/** Of several processes of one name, one after the other. */
export interface Turn {
  /** 0 or 1, in turns: tells a program from the one that it replaces. */
  copy: number;
  /** That one still runs, and holds what only one can hold. */
  isReplacing: boolean;
}

/** Starts a program, and resolves once it is ready; gives up when the signal fires. */
export type Launch = (signal: AbortSignal, turn: Turn) => Promise<RunningProgram>;

/** A program that is started again when it ends without having been told to, ever more slowly while that keeps happening. */
export class Supervised {
  private readonly stopping = new AbortController();
  private running: RunningProgram | undefined;
  private work: Promise<void> = Promise.resolve();
  private copy = 0;

  /** @param warn told of every unexpected end and failed restart, in words for a person */
  constructor(
    readonly name: string,
    private readonly launch: Launch,
    private readonly warn: (message: string) => void,
  ) {}

  /** Resolves when it is ready for the first time. @throws what launch throws; nothing is tried again then */
  async start(): Promise<void> {
    const started = this.launchOnce();
    this.work = started.then(
      () => this.keepRunning(),
      () => {},
    );
    await started;
  }

  /** Resolves when nothing runs and nothing will. @param withinMs as in RunningProgram.stop */
  async stop(withinMs?: number): Promise<void> {
    this.stopping.abort();
    await this.running?.stop(withinMs);
    await this.work;
  }

  /** Another takes over: it is there before the one that runs is told to stop. @throws what launch throws; that one runs on then */
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
    // Ended while it was being replaced: the replacement is there.
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
