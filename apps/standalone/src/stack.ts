import type { RunningProgram } from '@moothall/infrastructure';
import { Supervised } from './process/supervised';

/** Everything that runs, in the order of its tiers: what stands on something is stopped before it. */
export class Stack {
  private readonly tiers: Supervised[][] = [];
  private isStopping = false;

  constructor(private readonly warn: (message: string) => void) {}

  /** A program of the tier with that number; 0 is the lowest. It is not started yet. */
  add(tier: number, name: string, launch: (signal: AbortSignal) => Promise<RunningProgram>): Supervised {
    const supervised = new Supervised(name, launch, this.warn);
    this.tiers[tier] ??= [];
    this.tiers[tier].push(supervised);
    // Asked for while the stack is being stopped: its start gives up at once.
    if (this.isStopping) void supervised.stop();
    return supervised;
  }

  /** Stops tier after tier, the highest first. @param withinMs 0 kills; else each program's own time */
  async stop(withinMs?: number): Promise<void> {
    this.isStopping = true;
    for (const tier of this.tiers.toReversed()) {
      await Promise.all((tier ?? []).map((supervised) => supervised.stop(withinMs)));
    }
  }

  /** Ends everything at once. */
  async kill(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.tiers.flat().map((supervised) => supervised.stop(0)));
  }
}
