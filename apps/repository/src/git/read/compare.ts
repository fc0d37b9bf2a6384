import type { Commit } from '../objects/commit';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { DiffReader } from './diff';
import type { LogReader } from './log';
import type { MergeBaseReader } from './merge-base';
import type { FileDiff } from './parse-diff';

export interface Comparison {
  /** Oldest first, at most {@link MAX_COMMITS}. */
  commits: Commit[];
  diffs: FileDiff[];
  compareTimeout: boolean;
  compareSameRef: boolean;
}

/** Limit of shown commits, newest first. */
const MAX_COMMITS = 10_000;

/** Compares two revisions. */
export class CompareReader {
  constructor(
    private readonly objects: ObjectReader,
    private readonly log: LogReader,
    private readonly diffs: DiffReader,
    private readonly mergeBases: MergeBaseReader,
  ) {}

  /**
   * @param straight compare the two trees, else `to` with its merge base with `from`
   * @throws ref_not_found for an unknown side
   * @see docs/api/repository.md#5
   */
  async compare(
    repository: string,
    from: string,
    to: string,
    options: { straight?: boolean; signal?: AbortSignal } = {},
  ): Promise<Comparison> {
    const [left, right] = await Promise.all([this.require(repository, from), this.require(repository, to)]);
    if (left === right) return { commits: [], diffs: [], compareTimeout: false, compareSameRef: true };
    const base = options.straight ? left : await this.mergeBases.findOfCommits(repository, [left, right]);
    const [commits, diff] = await Promise.all([
      this.log.list(repository, { from: right, not: [left], limit: MAX_COMMITS }, options.signal),
      // Unrelated histories have no base: nothing is shown, because nothing can be merged.
      base ? this.diffs.compare(repository, base, right, options.signal) : { diffs: [], overflow: false },
    ]);
    return { commits: commits.reverse(), diffs: diff.diffs, compareTimeout: diff.overflow, compareSameRef: false };
  }

  private async require(repository: string, revision: string): Promise<string> {
    const id = await this.objects.resolve(repository, revision);
    if (!id) throw new GitError('ref_not_found', revision);
    return id;
  }
}
