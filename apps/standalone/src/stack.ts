import { unattended } from '@moothall/logging';
import { type Launch, Supervised } from './process/supervised';

/** Everything that runs, in the order of its tiers: what stands on something is stopped before it. */
export class Stack {
  private readonly tiers: Supervised[][] = [];
  private isStopping = false;
  private replacing?: Promise<boolean> | undefined;

  constructor(private readonly warn: (message: string) => void) {}

  /** A program of the tier with that number; 0 is the lowest. It is not started yet. */
  add(tier: number, name: string, launch: Launch): Supervised {
    const supervised = new Supervised(name, launch, this.warn);
    this.tiers[tier] ??= [];
    this.tiers[tier].push(supervised);
    // Asked for while the stack is being stopped: its start gives up at once.
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
   * Replaces the programs from a tier on, one after another: there is never one fewer than planned. What does not start
   * is said, and ends it: the rest stays as it was. Asked for again meanwhile, it is not begun twice.
   * @returns whether all of them were
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

  /** Ends everything at once. */
  async kill(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.tiers.flat().map((supervised) => supervised.stop(0)));
  }
}
