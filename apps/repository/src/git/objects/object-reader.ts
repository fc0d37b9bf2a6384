import type { Readable } from 'node:stream';
import { waitingFor } from '@moothall/tracing';
import { LRUCache } from 'lru-cache';
import { checkedOutput } from '../process/checked-output';
import { GitError } from '../process/errors';
import { failureOf, type GitRunner } from '../process/run-git';
import { CatFile, CatFileFailed, type GitObject, type ObjectInfo, type ObjectType } from './cat-file';
import { growingCache } from './growing-cache';
import { RefFiles } from './ref-files';
import { parseRevision, revisionCandidates } from './revision';

export interface ObjectReaderOptions {
  /** In all repositories together. */
  maxProcesses?: number;
  maxProcessesPerRepository?: number;
  /** A process that is idle this long is ended. */
  idleMs?: number;
  /** Memory for contents of small objects. */
  cacheBytes?: number;
}

/** A second process for a repository starts when this many requests wait for the first. */
const WORTH_ANOTHER = 8;
/** Larger objects are not cached; larger blobs are better streamed. */
export const SMALL_OBJECT_BYTES = 256 << 10;

/** Limit of characters of `~n^n` after a name for caching the result. */
const KEPT_STEPS = 40;

/** An object that a ref names. */
export interface RefTarget {
  type: ObjectType;
  /** The commit after peeling; null if it leads to none. */
  commitId: string | null;
}

interface Shelf {
  /** Prefix of cache keys: a repository that is created again at the same path shares nothing with the old one. */
  id: number;
  processes: CatFile[];
}

/**
 * Reads objects of any repository through a bounded pool of long-lived `cat-file` processes, and caches small contents.
 * Caches are per repository: an object of another repository must not become readable here.
 */
export class ObjectReader {
  private readonly shelves = new Map<string, Shelf>();
  private readonly cache: LRUCache<string, GitObject>;
  /** Refs, read from git's files. */
  readonly refs = new RefFiles();
  /** Commits by revision: an object id, with steps. Both never change. */
  private readonly peeled = growingCache<string>(100_000);
  /** Types of the objects that refs name. */
  private readonly targets = growingCache<RefTarget>(100_000);
  private readonly options: Required<ObjectReaderOptions>;
  private readonly idleTimer: NodeJS.Timeout;
  private waiting: (() => void)[] = [];
  private processCount = 0;
  private nextShelfId = 1;

  constructor(
    private readonly git: GitRunner,
    options: ObjectReaderOptions = {},
  ) {
    this.options = {
      maxProcesses: 256,
      maxProcessesPerRepository: 2,
      idleMs: 60_000,
      cacheBytes: 64 << 20,
      ...options,
    };
    this.cache = new LRUCache({
      maxSize: this.options.cacheBytes,
      sizeCalculation: (object) => object.content.length + 200,
    });
    this.idleTimer = setInterval(() => this.closeIdle(), this.options.idleMs / 2).unref();
  }

  /** Type and size of an object, or null if the repository has no such object. */
  async info(repository: string, id: string): Promise<ObjectInfo | null> {
    requireObjectId(id);
    return this.cache.get(this.key(repository, id)) ?? this.ask(repository, (process) => process.info(id));
  }

  /**
   * An object with its content.
   * @param maxBytes larger objects are refused before they are read
   * @throws object_too_large, object_id_unsupported
   */
  async read(repository: string, id: string, maxBytes = Number.POSITIVE_INFINITY): Promise<GitObject | null> {
    requireObjectId(id);
    const key = this.key(repository, id);
    const cached = this.cache.get(key);
    if (cached && cached.sizeBytes <= maxBytes) return cached;
    if (maxBytes !== Number.POSITIVE_INFINITY) await this.requireSize(repository, id, maxBytes);
    const object = await this.ask(repository, (process) => process.contents(id));
    if (!object || object.sizeBytes > SMALL_OBJECT_BYTES) return object;
    // A copy, because the content is a slice of a larger buffer that the cache would retain.
    const kept = { ...object, content: Buffer.from(object.content) };
    this.cache.set(key, kept);
    return kept;
  }

  /**
   * An object that another object or a ref names. @throws repository_not_found if the repository was deleted,
   * object_unreadable
   */
  async require(repository: string, id: string): Promise<GitObject> {
    const object = await this.read(repository, id);
    if (!object) throw failureOf(repository, `${id} is not there`, 'object_unreadable');
    return object;
  }

  /**
   * A blob as a stream. Small ones come from the cache or the pool, large ones from a process of their own, which ends
   * when the stream is destroyed.
   * @returns null if there is no such object or it is not a blob
   */
  async streamBlob(
    repository: string,
    id: string,
    reader: { who?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<{ sizeBytes: number; stream: () => Promise<Readable | Buffer> } | null> {
    const info = await this.info(repository, id);
    if (info?.type !== 'blob') return null;
    const stream = async () => {
      if (info.sizeBytes <= SMALL_OBJECT_BYTES) return (await this.require(repository, id)).content;
      const child = await this.git.open(repository, ['cat-file', 'blob', id], reader);
      child.stdin.end();
      return checkedOutput(child, repository, 'cat-file');
    };
    return { sizeBytes: info.sizeBytes, stream };
  }

  /**
   * The commit of a caller's revision: an object id, a branch or tag (`prefer` decides if both exist), a full ref name,
   * an abbreviated id, or HEAD, each optionally followed by `~n` and `^n`.
   * @returns the commit's id, or null
   * @throws object_id_unsupported for 64 hex digits that are not a branch or tag
   */
  async resolve(repository: string, revision = 'HEAD', prefer: 'branch' | 'tag' = 'branch'): Promise<string | null> {
    const parsed = parseRevision(revision);
    if (!parsed) return null;
    for (const name of revisionCandidates(parsed.base, prefer)) {
      const isRef = name === 'HEAD' || name.startsWith('refs/');
      const start = isRef ? await this.refs.read(repository, name) : name;
      const commit = start && (await this.peel(repository, start, parsed.steps));
      if (commit) return commit;
    }
    if (isSha256(parsed.base)) throw new GitError('object_id_unsupported');
    return null;
  }

  /**
   * The blob with a full or abbreviated id of at least seven digits; null if there is none, or several.
   * @throws object_id_unsupported for 64 hex digits
   */
  async resolveBlob(repository: string, id: string): Promise<string | null> {
    if (isSha256(id)) throw new GitError('object_id_unsupported');
    if (!/^[0-9a-f]{7,40}$/.test(id)) return null;
    const found = await this.ask(repository, (process) => process.info(`${id}^{blob}`));
    return found?.id ?? null;
  }

  /** The object of a full ref name, which may be a tag object; null if the ref does not exist. */
  async readRef(repository: string, refName: string): Promise<ObjectInfo | null> {
    if (!refName.startsWith('refs/') || parseRevision(refName)?.base !== refName) return null;
    return this.ask(repository, (process) => process.info(refName));
  }

  /** The type of an object that a ref names. @param id its full id. @throws repository_not_found, object_unreadable */
  async target(repository: string, id: string): Promise<RefTarget> {
    const key = this.key(repository, id);
    const known = this.targets.get(key);
    if (known) return known;
    const commitId = await this.peel(repository, id, '');
    const type = commitId === id ? 'commit' : (await this.info(repository, id))?.type;
    if (!type) throw failureOf(repository, `${id} is not there`, 'object_unreadable');
    const target: RefTarget = { type, commitId };
    this.targets.set(key, target);
    return target;
  }

  /** A number for the repository in cache keys; it changes when the repository is dropped. */
  generation(repository: string): number {
    return this.shelf(repository).id;
  }

  /** Ends the processes of a repository; its cache entries stay. */
  release(repository: string): void {
    const shelf = this.shelves.get(repository);
    for (const process of shelf?.processes.splice(0) ?? []) this.end(process);
  }

  /** Removes the cache entries of a repository that was deleted or replaced. */
  drop(repository: string): void {
    this.release(repository);
    this.shelves.delete(repository);
  }

  /** Ends all processes. */
  close(): void {
    clearInterval(this.idleTimer);
    for (const repository of [...this.shelves.keys()]) this.drop(repository);
    this.cache.clear();
  }

  get runningProcesses(): number {
    return this.processCount;
  }

  /** @param start an object id, in full or abbreviated */
  private async peel(repository: string, start: string, steps: string): Promise<string | null> {
    const key = this.key(repository, start + steps);
    const known = this.peeled.get(key);
    if (known) return known;
    const commit = await this.ask(repository, (process) => process.info(`${start}${steps}^{commit}`));
    // An abbreviated id may become ambiguous with the next push, and callers may send any number of steps.
    if (commit && start.length === 40 && steps.length <= KEPT_STEPS) this.peeled.set(key, commit.id);
    return commit?.id ?? null;
  }

  private async requireSize(repository: string, id: string, maxBytes: number): Promise<void> {
    const info = await this.info(repository, id);
    if (info && info.sizeBytes > maxBytes) throw new GitError('object_too_large');
  }

  private async ask<T>(repository: string, request: (process: CatFile) => Promise<T>): Promise<T> {
    try {
      return await waitingFor('git', null, async () =>
        request(this.pick(repository) ?? (await this.waitForProcess(repository))),
      );
    } catch (error) {
      if (error instanceof CatFileFailed) throw failureOf(repository, error.message, 'object_unreadable');
      throw error;
    }
  }

  /** The least loaded process of the repository, a new one if that is better, or null if none may start. */
  private pick(repository: string): CatFile | null {
    const shelf = this.shelf(repository);
    const best = shelf.processes.reduce<CatFile | null>((a, b) => (a && a.load <= b.load ? a : b), null);
    if (best && (best.load < WORTH_ANOTHER || shelf.processes.length >= this.options.maxProcessesPerRepository))
      return best;
    if (this.processCount >= this.options.maxProcesses && !this.closeLeastUsed()) return best;
    const process = new CatFile(repository, () => this.waiting.shift()?.());
    shelf.processes.push(process);
    this.processCount++;
    return process;
  }

  private async waitForProcess(repository: string): Promise<CatFile> {
    for (;;) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      const process = this.pick(repository);
      if (process) return process;
    }
  }

  private closeLeastUsed(): boolean {
    const idle = [...this.processes()].filter(({ process }) => process.load === 0);
    const oldest = idle.reduce<(typeof idle)[number] | null>(
      (a, b) => (a && a.process.lastUsedAt <= b.process.lastUsedAt ? a : b),
      null,
    );
    if (!oldest) return false;
    this.remove(oldest.shelf, oldest.process);
    return true;
  }

  private closeIdle(): void {
    const limit = Date.now() - this.options.idleMs;
    for (const { shelf, process } of [...this.processes()]) {
      if (process.load === 0 && process.lastUsedAt < limit) this.remove(shelf, process);
    }
  }

  private *processes(): Generator<{ shelf: Shelf; process: CatFile }> {
    for (const shelf of this.shelves.values()) for (const process of shelf.processes) yield { shelf, process };
  }

  private remove(shelf: Shelf, process: CatFile): void {
    shelf.processes = shelf.processes.filter((other) => other !== process);
    this.end(process);
  }

  private end(process: CatFile): void {
    process.close();
    this.processCount--;
    this.waiting.shift()?.();
  }

  private shelf(repository: string): Shelf {
    let shelf = this.shelves.get(repository);
    if (!shelf) {
      shelf = { id: this.nextShelfId++, processes: [] };
      this.shelves.set(repository, shelf);
    }
    return shelf;
  }

  private key(repository: string, id: string): string {
    return `${this.shelf(repository).id}:${id}`;
  }
}

function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}

/** @throws object_id_unsupported for SHA-256, request_malformed for an invalid object id */
function requireObjectId(id: string): void {
  if (/^[0-9a-f]{40}$/.test(id)) return;
  throw new GitError(isSha256(id) ? 'object_id_unsupported' : 'request_malformed', '', id.slice(0, 100));
}
