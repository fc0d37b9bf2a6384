import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';

/** How far a walk may go before a git process is faster. */
export interface WalkLimits {
  commits: number;
  /** Limit of commits that are not cached. */
  reads: number;
}

/** About ten milliseconds in memory, and twenty of reading. */
const WALK_LIMITS: WalkLimits = { commits: 5000, reads: 200 };

/** A commit with a date that all git versions parse in the same way. */
export type DatedCommit = Commit & { committedAt: number };

/** Thrown in a walk that git has to do: it went too far, or met a commit that only git can parse. */
export class TooFar extends Error {}

/** The commits of one walk; each is returned once. */
export class CommitSteps {
  private readonly seen = new Set<string>();
  private reads = 0;

  constructor(
    private readonly repository: string,
    private readonly commits: CommitReader,
    private readonly limits = WALK_LIMITS,
  ) {}

  /** Those of the commits that were not visited yet, in their order. @throws TooFar */
  async take(ids: readonly string[]): Promise<DatedCommit[]> {
    const fresh = ids.filter((id) => !this.seen.has(id) && this.seen.add(id));
    if (this.seen.size > this.limits.commits) throw new TooFar();
    const kept = fresh.map((id) => this.commits.kept(this.repository, id) ?? id);
    const isAll = kept.every((one) => typeof one !== 'string');
    const found = isAll ? kept : await Promise.all(kept.map((one) => (typeof one === 'string' ? this.read(one) : one)));
    if (!found.every(isDated)) throw new TooFar();
    return found;
  }

  private async read(id: string): Promise<Commit | null> {
    if (++this.reads > this.limits.reads || !/^[0-9a-f]{40}$/.test(id)) throw new TooFar();
    return this.commits.get(this.repository, id);
  }
}

const isDated = (commit: Commit | null): commit is DatedCommit => typeof commit?.committedAt === 'number';

/** The result of a walk, or null if git has to answer. */
export async function orNull<T>(walk: Promise<T>): Promise<T | null> {
  try {
    return await walk;
  } catch (error) {
    if (error instanceof TooFar) return null;
    throw error;
  }
}
