import { LRUCache } from 'lru-cache';
import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import type { CommitStatsReader } from './commit-stats';
import type { LogReader } from './log';

/** Commits of one author. */
export interface Contributor {
  name: string;
  email: string;
  commits: number;
  additions: number;
  deletions: number;
}

/** @see docs/api/repository.md#6 */
const COMMITS_LOOKED_AT = 2000;

/**
 * The authors of the latest commits of a branch, without merges. Commits and their line counts are cached by id, so
 * after a push only new ones are read.
 */
export class ContributorReader {
  /** The commits of the last answer, by repository. */
  private readonly windows = new LRUCache<number, Window>({ max: 2000 });

  constructor(
    private readonly objects: ObjectReader,
    private readonly log: LogReader,
    private readonly commits: CommitReader,
    private readonly stats: CommitStatsReader,
  ) {}

  /**
   * Grouped by email address, with the newest name, fewest commits first.
   * @returns null if the revision does not exist, as in an empty repository
   */
  async list(repository: string, revision?: string, signal?: AbortSignal): Promise<Contributor[] | null> {
    const from = await this.objects.resolve(repository, revision);
    if (!from) return null;
    const ids = await this.latest(repository, from, signal);
    const [commits, stats] = await Promise.all([
      this.commits.list(repository, ids),
      this.stats.get(repository, ids, signal),
    ]);
    const byEmail = new Map<string, Contributor>();
    for (const { id, author } of commits) {
      const contributor = byEmail.get(author.email) ?? {
        name: author.name,
        email: author.email,
        commits: 0,
        additions: 0,
        deletions: 0,
      };
      contributor.commits++;
      contributor.additions += stats.get(id)?.additions ?? 0;
      contributor.deletions += stats.get(id)?.deletions ?? 0;
      byEmail.set(author.email, contributor);
    }
    return [...byEmail.values()].sort((a, b) => a.commits - b.commits);
  }

  /**
   * The newest commits without merges: after a push the new ones and the cached ones, if that gives the same result.
   */
  private async latest(repository: string, tip: string, signal?: AbortSignal): Promise<readonly string[]> {
    const key = this.objects.generation(repository);
    const known = this.windows.get(key);
    if (known?.tip === tip) return known.ids;
    const ids =
      (known && (await this.extend(repository, known, tip))) ??
      (await this.log.ids(repository, { from: tip, noMerges: true, limit: COMMITS_LOOKED_AT }, signal));
    this.windows.set(key, { tip, ids });
    return ids;
  }

  /** @returns null if git, which sorts by date, might select others: new commits that are older than cached ones */
  private async extend(repository: string, known: Window, tip: string): Promise<string[] | null> {
    const gained = await this.log.gained(repository, known.tip, tip);
    if (!gained || gained.length > COMMITS_LOOKED_AT) return null;
    const [fresh, old] = await Promise.all([
      this.commits.list(repository, gained),
      this.commits.list(repository, known.ids),
    ]);
    const newestKnown = Math.max(...old.map(committedAt));
    if (fresh.some((commit) => committedAt(commit) < newestKnown)) return null;
    const added = fresh.filter((commit) => commit.parentIds.length < 2).map((commit) => commit.id);
    return [...added, ...known.ids].slice(0, COMMITS_LOOKED_AT);
  }
}

interface Window {
  tip: string;
  ids: readonly string[];
}

function committedAt(commit: Commit): number {
  return Date.parse(commit.committer.date);
}
