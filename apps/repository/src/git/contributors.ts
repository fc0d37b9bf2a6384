import type { CommitReader } from './commit-reader';
import type { CommitStatsReader } from './commit-stats';
import type { LogReader } from './log';
import type { ObjectReader } from './object-reader';

/** What one person did in the commits looked at. */
export interface Contributor {
  name: string;
  email: string;
  commits: number;
  additions: number;
  deletions: number;
}

/** @see clarifications B.5 */
const COMMITS_LOOKED_AT = 2000;

/**
 * Who wrote the latest commits of a branch, merges left out. Commits and their line counts are kept by id, so after a
 * push only the new ones are read.
 */
export class ContributorReader {
  constructor(
    private readonly objects: ObjectReader,
    private readonly log: LogReader,
    private readonly commits: CommitReader,
    private readonly stats: CommitStatsReader,
  ) {}

  /**
   * Grouped by email, under the newest name, fewest commits first.
   * @returns null when the revision does not exist, as in an empty repository
   */
  async list(repository: string, revision?: string, signal?: AbortSignal): Promise<Contributor[] | null> {
    const from = await this.objects.resolve(repository, revision);
    if (!from) return null;
    const ids = await this.log.ids(repository, { from, noMerges: true, limit: COMMITS_LOOKED_AT }, signal);
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
}
