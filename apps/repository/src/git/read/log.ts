import { LRUCache } from 'lru-cache';
import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';

/** Which commits, and which part of them. */
export interface LogQuery {
  /** A resolved commit id; null walks from all branches and tags. */
  from: string | null;
  /** Commits reachable from these (resolved ids) are left out. */
  not?: readonly string[] | undefined;
  /** Only commits that changed this file or folder. */
  path?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
  firstParent?: boolean | undefined;
  order?: 'default' | 'topo' | undefined;
  /** Text in the author's name or email, taken literally. */
  author?: string | undefined;
  noMerges?: boolean | undefined;
  offset?: number | undefined;
  limit: number;
}

/** History: lists, counts, and the last commit of a path. Lists cost one process; the commits come from the pool. */
export class LogReader {
  /** Last commits of paths; a fixed fact for a fixed starting commit. */
  private readonly lastCommits = new LRUCache<string, string>({ max: 50_000 });

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
  ) {}

  async list(repository: string, query: LogQuery, signal?: AbortSignal): Promise<Commit[]> {
    return this.commits.list(repository, await this.ids(repository, query, signal));
  }

  /** Ids only, newest first. */
  async ids(repository: string, query: LogQuery, signal?: AbortSignal): Promise<string[]> {
    const page = [`--skip=${query.offset ?? 0}`, `--max-count=${query.limit}`];
    const output = await this.git.text(repository, ['rev-list', ...page, ...filters(query)], {
      input: starts(query),
      signal,
    });
    return output.split('\n').filter((line) => line !== '');
  }

  /** How many commits match; `offset` and `limit` play no part. */
  async count(repository: string, query: Omit<LogQuery, 'limit'>, signal?: AbortSignal): Promise<number> {
    return Number(
      await this.git.text(repository, ['rev-list', '--count', ...filters(query)], { input: starts(query), signal }),
    );
  }

  /** The newest commit, from a resolved commit on, that changed a path; null when none did. */
  async lastCommitOf(repository: string, commitId: string, path: string): Promise<string | null> {
    const key = `${this.objects.generation(repository)}:${commitId}:${path}`;
    const kept = this.lastCommits.get(key);
    if (kept) return kept;
    const [id] = await this.ids(repository, { from: commitId, path, limit: 1 });
    if (id) this.lastCommits.set(key, id);
    return id ?? null;
  }

  /** Commits that only one side has. @param left, right resolved commit ids */
  async divergence(repository: string, left: string, right: string): Promise<{ ahead: number; behind: number }> {
    const range = `${left}...${right}`;
    const [behind, ahead] = (await this.git.text(repository, ['rev-list', '--left-right', '--count', range]))
      .split('\t')
      .map(Number);
    return { ahead: ahead ?? 0, behind: behind ?? 0 };
  }

  /**
   * The commits that a branch gained when it moved, newest first.
   * @returns null when it also lost some, or it moved backwards
   */
  async gained(repository: string, before: string, after: string): Promise<string[] | null> {
    const output = await this.git.text(repository, ['rev-list', '--left-right', `${before}...${after}`]);
    const lines = output.split('\n').filter((line) => line !== '');
    return lines.every((line) => line.startsWith('>')) ? lines.map((line) => line.slice(1)) : null;
  }

  /** Whether a commit is in another's history. */
  async isAncestor(repository: string, ancestor: string, descendant: string): Promise<boolean> {
    const { exitCode } = await this.git.run(repository, ['merge-base', '--is-ancestor', ancestor, descendant], {
      exitCodes: [0, 1],
    });
    return exitCode === 0;
  }
}

function filters(query: Omit<LogQuery, 'limit'>): string[] {
  const args = ['--stdin'];
  if (query.from === null) args.push('--branches', '--tags');
  if (query.since) args.push(`--since=${query.since}`);
  if (query.until) args.push(`--until=${query.until}`);
  if (query.firstParent) args.push('--first-parent');
  if (query.noMerges) args.push('--no-merges');
  if (query.order === 'topo') args.push('--topo-order');
  if (query.author) args.push('--fixed-strings', `--author=${query.author}`);
  return args;
}

/** Commits and path go by standard input: nothing of it can become an option. */
function starts(query: Omit<LogQuery, 'limit'>): string {
  const revisions = [...(query.from ? [query.from] : []), ...(query.not ?? []).map((id) => `^${id}`)];
  if (query.path?.includes('\n')) throw new GitError('path_invalid', query.path.slice(0, 200));
  const path = query.path ? ['--', query.path] : [];
  return `${[...revisions, ...path].join('\n')}\n`;
}
