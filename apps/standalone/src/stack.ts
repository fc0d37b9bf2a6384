import { unattended } from '@moothall/logging';
import { type Launch, Supervised } from './process/supervised';

/** All running programs, in tiers: a program is stopped before those that it depends on. */
export class Stack {
  private readonly tiers: Supervised[][] = [];
  private isStopping = false;
  private replacing?: Promise<boolean> | undefined;

  constructor(private readonly warn: (message: string) => void) {}

  /** Adds a program to a tier; 0 is the lowest. It is not started yet. */
  add(tier: number, name: string, launch: Launch): Supervised {
    const supervised = new Supervised(name, launch, this.warn);
    this.tiers[tier] ??= [];
    this.tiers[tier].push(supervised);
    // Called while the stack is being stopped: its start is aborted.
    if (this.isStopping) unattended(name, supervised.stop());
    return supervised;
  }

  /** Stops tier after tier, the highest first. @param withinMs 0 kills; else each program's own time */
  async stop(withinMs?: number): Promise<void> {
    this.isStopping = true;
    for (const tier of this.tiers.toReversed()) {
      await Promise.all((tier ?? []).map((supervised) => supervised.stop(withinMs)));
    }
  }

  /**
   * Replaces the programs from a tier upwards, one after another: there is never one fewer than planned. A failed start
   * is logged and stops the replacement: the rest stays unchanged. Concurrent calls share one replacement.
   * @returns whether all of them were replaced
   */
  replace(lowest: number): Promise<boolean> {
    this.replacing ??= this.replaceAll(lowest).finally(() => {
      this.replacing = undefined;
    });
    return this.replacing;
  }

  get isReplacing(): boolean {
    return this.replacing !== undefined;
  }

  private async replaceAll(lowest: number): Promise<boolean> {
    for (const supervised of this.tiers.slice(lowest).flat()) {
      if (this.isStopping) return false;
      try {
        await supervised.replace();
      } catch (error) {
        if (!this.isStopping) this.warn(`${supervised.name} could not be replaced: ${(error as Error).message}`);
        return false;
      }
    }
    this.warn('Every process was replaced.');
    return true;
  }

  /** Kills everything. */
  async kill(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.tiers.flat().map((supervised) => supervised.stop(0)));
  }
}
