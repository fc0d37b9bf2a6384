import type { LRUCache } from 'lru-cache';
import { growingCache } from '../objects/growing-cache';
import type { ObjectReader } from '../objects/object-reader';
import type { GitRunner } from '../process/run-git';

/** Lines that a commit changed, against its first parent. Binary files are not counted. */
export interface CommitStats {
  additions: number;
  deletions: number;
}

const DIFF_TIMEOUT_MS = 300_000;

/** Line counts of commits. Commits never change, so each one is counted once and cached. */
export class CommitStatsReader {
  private readonly stats: LRUCache<string, CommitStats>;

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    maxCommits = 500_000,
  ) {
    this.stats = growingCache(maxCommits);
  }

  /** Counts of the given commits, by id; one process counts those that are not cached. */
  async get(repository: string, ids: readonly string[], signal?: AbortSignal): Promise<Map<string, CommitStats>> {
    const prefix = `${this.objects.generation(repository)}:`;
    const found = new Map<string, CommitStats>();
    const missing: string[] = [];
    for (const id of ids) {
      const kept = this.stats.get(prefix + id);
      if (kept) found.set(id, kept);
      else missing.push(id);
    }
    for (const [id, stats] of await this.count(repository, missing, signal)) {
      this.stats.set(prefix + id, stats);
      found.set(id, stats);
    }
    return found;
  }

  private async count(repository: string, ids: string[], signal?: AbortSignal): Promise<Map<string, CommitStats>> {
    if (ids.length === 0) return new Map();
    const args = ['diff-tree', '--stdin', '-r', '--root', '-M', '--numstat', '--diff-merges=first-parent', '--always'];
    const input = `${ids.join('\n')}\n`;
    const output = await this.git.text(repository, args, {
      input,
      signal,
      timeoutMs: DIFF_TIMEOUT_MS,
      maxOutputBytes: 1 << 30,
    });
    return sumNumstat(output);
  }
}

/**
 * Sums `git diff-tree --stdin --numstat`: a line with a commit's id, then `<added>\t<deleted>\t<path>` of each file.
 */
export function sumNumstat(output: string): Map<string, CommitStats> {
  const sums = new Map<string, CommitStats>();
  let current: CommitStats = { additions: 0, deletions: 0 };
  for (const line of output.split('\n')) {
    const [added, deleted] = line.split('\t', 2);
    if (deleted === undefined) {
      current = { additions: 0, deletions: 0 };
      if (/^[0-9a-f]{40}$/.test(line)) sums.set(line, current);
      continue;
    }
    // Binary files have `-` for both numbers.
    current.additions += Number(added) || 0;
    current.deletions += Number(deleted) || 0;
  }
  return sums;
}
