import type { CommitReader } from '../objects/commit-reader';
import { CommitSteps, orNull, TooFar, type WalkLimits } from './commit-steps';
import { DateQueue } from './date-queue';

/** Which commits of a history, as for {@link LogQuery}. */
export interface Walk {
  firstParent?: boolean | undefined;
  noMerges?: boolean | undefined;
  offset?: number | undefined;
  limit: number;
}

/** Each skipped commit counts as a step; beyond this git is faster. */
const WORTH_WALKING = 2000;
/** A few milliseconds of reading; most pushes have fewer commits. */
const LINE_LIMITS: WalkLimits = { commits: 20, reads: 20 };

/** Pages of a history without a process: the commits of `git rev-list`, in its order. */
export class CommitWalk {
  constructor(
    private readonly commits: CommitReader,
    private readonly limits?: WalkLimits,
  ) {}

  /** Ids of a page, newest first; null if git has to answer. @param from a resolved commit id */
  async ids(repository: string, from: string, walk: Walk): Promise<string[] | null> {
    if ((walk.offset ?? 0) + walk.limit > WORTH_WALKING) return null;
    return orNull(this.walk(repository, from, walk));
  }

  /**
   * The commits that are reachable from one commit and not from another, newest first, if they form a straight line.
   * @returns null if git has to answer: there is a merge, the line is too long, or it does not end at the other commit
   */
  async line(repository: string, from: string, to: string): Promise<string[] | null> {
    return orNull(this.follow(repository, from, to));
  }

  private async follow(repository: string, from: string, to: string): Promise<string[]> {
    const steps = new CommitSteps(repository, this.commits, LINE_LIMITS);
    const ids: string[] = [];
    for (let id = from; id !== to; ) {
      const [commit] = await steps.take([id]);
      const [parentId, ...others] = commit?.parentIds ?? [];
      if (parentId === undefined || others.length > 0) throw new TooFar();
      ids.push(id);
      id = parentId;
    }
    return ids;
  }

  private async walk(repository: string, from: string, walk: Walk): Promise<string[]> {
    const { firstParent, noMerges, offset = 0, limit } = walk;
    const steps = new CommitSteps(repository, this.commits, this.limits);
    const queue = new DateQueue();
    const ids: string[] = [];
    const push = async (parents: readonly string[]) => {
      for (const commit of await steps.take(parents)) queue.push(commit);
    };
    await push([from]);
    while (ids.length < offset + limit) {
      const commit = queue.pop();
      if (!commit) break;
      if (!noMerges || commit.parentIds.length < 2) ids.push(commit.id);
      // Commits after the page are not read.
      if (ids.length < offset + limit) await push(firstParent ? commit.parentIds.slice(0, 1) : commit.parentIds);
    }
    return ids.slice(offset);
  }
}
