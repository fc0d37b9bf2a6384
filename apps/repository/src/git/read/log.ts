import { LRUCache } from 'lru-cache';
import type { CommitWalk } from '../history/commit-walk';
import { cacheKey } from '../objects/cache-key';
import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';
import { growingCache } from '../objects/growing-cache';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';

/** Selects commits, and a page of them. */
export interface LogQuery {
  /** A resolved commit id; null for all branches and tags. */
  from: string | null;
  /** Commits reachable from these (resolved ids) are excluded. */
  not?: readonly string[] | undefined;
  /** Only commits that changed this file or folder. */
  path?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
  firstParent?: boolean | undefined;
  order?: 'default' | 'topo' | undefined;
  /** Literal text in the author's name or email address. */
  author?: string | undefined;
  /** Literal text in the message, in any case. */
  message?: string | undefined;
  noMerges?: boolean | undefined;
  offset?: number | undefined;
  limit: number;
}

/** Number of commits on only one of two sides. */
export interface Divergence {
  ahead: number;
  behind: number;
}

/**
 * History: lists, counts, and the last commit of a path. Results for resolved ids never change and are cached; short
 * walks are done in this process, longer ones by git.
 */
export class LogReader {
  /** Pages by query, including the last commit of a path. Estimated size of an id: 80 bytes. */
  private readonly pages = new LRUCache<string, readonly string[]>({
    maxSize: 200_000,
    sizeCalculation: (ids) => ids.length + 5,
  });
  private readonly counts = growingCache<number>(50_000);
  private readonly divergences = growingCache<Divergence>(50_000);

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly walk: CommitWalk,
  ) {}

  async list(repository: string, query: LogQuery, signal?: AbortSignal): Promise<Commit[]> {
    return this.commits.list(repository, await this.ids(repository, query, signal));
  }

  /** Ids only, newest first. */
  async ids(repository: string, query: LogQuery, signal?: AbortSignal): Promise<readonly string[]> {
    const read = async () => (await this.walked(repository, query)) ?? (await this.listed(repository, query, signal));
    // The heads of branches change.
    return query.from === null ? read() : kept(this.pages, this.key(repository, query), read);
  }

  /** Number of matching commits; `offset` and `limit` are ignored. */
  async count(repository: string, query: Omit<LogQuery, 'limit'>, signal?: AbortSignal): Promise<number> {
    const args = ['rev-list', '--count', ...filters(query)];
    const read = async () =>
      (await this.line(repository, query))?.length ??
      Number(await this.git.text(repository, args, { input: starts(query), signal }));
    return query.from === null ? read() : kept(this.counts, this.key(repository, query), read);
  }

  /** The newest commit, from a resolved commit backwards, that changed a path; null if none did. */
  async lastCommitOf(repository: string, commitId: string, path: string): Promise<string | null> {
    const [id] = await this.ids(repository, { from: commitId, path, limit: 1 });
    return id ?? null;
  }

  /** Number of commits on only one side. @param left, right resolved commit ids */
  async divergence(repository: string, left: string, right: string): Promise<Divergence> {
    const range = `${left}...${right}`;
    return kept(this.divergences, cacheKey(this.objects.generation(repository), range), async () => {
      const output = await this.git.text(repository, ['rev-list', '--left-right', '--count', range]);
      const [behind, ahead] = output.split('\t').map(Number);
      return { ahead: ahead ?? 0, behind: behind ?? 0 };
    });
  }

  /**
   * The commits that a branch gained by a move, newest first.
   * @returns null if it also lost some
   */
  async gained(repository: string, before: string, after: string): Promise<string[] | null> {
    const output = await this.git.text(repository, ['rev-list', '--left-right', `${before}...${after}`]);
    const lines = output.split('\n').filter((line) => line !== '');
    return lines.every((line) => line.startsWith('>')) ? lines.map((line) => line.slice(1)) : null;
  }

  /** A page of a short history, without a process; null if git has to answer. */
  private async walked(repository: string, query: LogQuery): Promise<readonly string[] | null> {
    const { not = [], offset = 0, limit } = query;
    if (not.length === 0) return isPlain(query) ? this.walk.ids(repository, query.from, query) : null;
    return (await this.line(repository, query))?.slice(offset, offset + limit) ?? null;
  }

  /** The commits since one other commit, if they are few and form a straight line; null otherwise. */
  private async line(repository: string, query: Omit<LogQuery, 'limit'>): Promise<readonly string[] | null> {
    const [known, ...others] = query.not ?? [];
    if (known === undefined || others.length > 0 || !isPlain(query)) return null;
    return this.walk.line(repository, query.from, known);
  }

  private async listed(repository: string, query: LogQuery, signal?: AbortSignal): Promise<string[]> {
    const page = [`--skip=${query.offset ?? 0}`, `--max-count=${query.limit}`];
    const output = await this.git.text(repository, ['rev-list', ...page, ...filters(query)], {
      input: starts(query),
      signal,
    });
    return output.split('\n').filter((line) => line !== '');
  }

  private key(repository: string, query: Partial<LogQuery>): string {
    return cacheKey(this.objects.generation(repository), Object.entries(query).sort());
  }
}

/** A walk from one commit without filters for paths, dates or texts. */
function isPlain<Q extends Omit<LogQuery, 'limit'>>(query: Q): query is Q & { from: string } {
  const { from, path, since, until, author, message, order = 'default' } = query;
  return from !== null && !path && !since && !until && !author && !message && order === 'default';
}

/** The cached value of a key, or a new one. */
async function kept<V extends {}>(cache: LRUCache<string, V>, key: string, read: () => Promise<V>): Promise<V> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = await read();
  cache.set(key, value);
  return value;
}

function filters(query: Omit<LogQuery, 'limit'>): string[] {
  const args = ['--stdin'];
  if (query.from === null) args.push('--branches', '--tags');
  if (query.since) args.push(`--since=${query.since}`);
  if (query.until) args.push(`--until=${query.until}`);
  if (query.firstParent) args.push('--first-parent');
  if (query.noMerges) args.push('--no-merges');
  if (query.order === 'topo') args.push('--topo-order');
  if (query.author || query.message) args.push('--fixed-strings');
  if (query.author) args.push(`--author=${query.author}`);
  if (query.message) args.push('--regexp-ignore-case', `--grep=${query.message}`);
  return args;
}

/** Commits and path are passed on standard input, so they cannot be read as options. */
function starts(query: Omit<LogQuery, 'limit'>): string {
  const revisions = [...(query.from ? [query.from] : []), ...(query.not ?? []).map((id) => `^${id}`)];
  if (query.path?.includes('\n')) throw new GitError('path_invalid', query.path.slice(0, 200));
  const path = query.path ? ['--', query.path] : [];
  return `${[...revisions, ...path].join('\n')}\n`;
}
