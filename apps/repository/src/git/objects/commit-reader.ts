import { LRUCache } from 'lru-cache';
import { failureOf } from '../process/run-git';
import { type Commit, parseCommit } from './commit';
import type { ObjectReader } from './object-reader';

/** Commits by id, parsed once. */
export class CommitReader {
  private readonly commits: LRUCache<string, Commit>;

  constructor(
    private readonly objects: ObjectReader,
    maxBytes = 64 << 20,
  ) {
    // Estimated size of a commit besides its message: 1,200 bytes.
    this.commits = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ message }) => 1200 + message.length });
  }

  /** A cached commit, synchronously. */
  kept(repository: string, id: string): Commit | undefined {
    return this.commits.get(this.key(repository, id));
  }

  /** @param id a full object id; null if there is no such commit */
  async get(repository: string, id: string): Promise<Commit | null> {
    const key = this.key(repository, id);
    const kept = this.commits.get(key);
    if (kept) return kept;
    const object = await this.objects.read(repository, id);
    if (object?.type !== 'commit') return null;
    const commit = parseCommit(id, object.content);
    this.commits.set(key, commit);
    return commit;
  }

  /**
   * A commit that another object or a ref names. @throws repository_not_found if the repository was deleted,
   * object_unreadable
   */
  async require(repository: string, id: string): Promise<Commit> {
    const commit = await this.get(repository, id);
    if (!commit) throw failureOf(repository, `${id} is no commit`, 'object_unreadable');
    return commit;
  }

  /** The commits of a list of ids, in its order; missing ones are left out. */
  async list(repository: string, ids: readonly string[]): Promise<Commit[]> {
    const commits = await Promise.all(ids.map((id) => this.get(repository, id)));
    return commits.filter((commit) => commit !== null);
  }

  /** The commit of a caller's revision, see {@link ObjectReader.resolve}. */
  async find(repository: string, revision?: string, prefer?: 'branch' | 'tag'): Promise<Commit | null> {
    const id = await this.objects.resolve(repository, revision, prefer);
    return id === null ? null : this.get(repository, id);
  }

  private key(repository: string, id: string): string {
    return `${this.objects.generation(repository)}:${id}`;
  }
}
