import type { CommitReader } from '../objects/commit-reader';
import { CommitSteps, orNull, type WalkLimits } from './commit-steps';
import { DateQueue } from './date-queue';

/** Which commits of a history, as for {@link LogQuery}. */
export interface Walk {
  firstParent?: boolean | undefined;
  noMerges?: boolean | undefined;
  offset?: number | undefined;
  limit: number;
}

/** A commit counts as a step each; beyond these git is quicker. */
const WORTH_WALKING = 2000;

/** Pages of a history without a process: the commits that `git rev-list` gives, in its order. */
export class CommitWalk {
  constructor(
    private readonly commits: CommitReader,
    private readonly limits?: WalkLimits,
  ) {}

  /** Ids of a page, newest first; null where git is to be asked. @param from a resolved commit id */
  async ids(repository: string, from: string, walk: Walk): Promise<string[] | null> {
    if ((walk.offset ?? 0) + walk.limit > WORTH_WALKING) return null;
    return orNull(this.walk(repository, from, walk));
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
      // What comes after the page is not looked at.
      if (ids.length < offset + limit) await push(firstParent ? commit.parentIds.slice(0, 1) : commit.parentIds);
    }
    return ids.slice(offset);
  }
}
