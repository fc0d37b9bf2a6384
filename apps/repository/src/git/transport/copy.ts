import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectReader } from '../objects/object-reader';
import { checkedOutput } from '../process/checked-output';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import type { RefUpdate } from '../refs/refs';
import { isObjectFile, linkFiles } from '../storage/link-files';
import type { RepositoryStorage } from '../storage/storage';

/** All refs of a repository at one moment, and the branch of HEAD. */
export interface RefSnapshot {
  head: string | null;
  /** Full name and object id, without peeling tags. */
  refs: { name: string; id: string }[];
}

/** The lines by which two snapshots are compared: HEAD, and each ref with its object, sorted. */
export const linesOf = ({ head, refs }: RefSnapshot): string =>
  [head, ...refs.map(({ name, id }) => `${id} ${name}`).sort()].join('\n');

export const CODE_REFS = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
export const ALL_REFS = ['+refs/*:refs/*'];

const TRANSFER_TIMEOUT_MS = 6 * 3_600_000;

/** Copies between repositories of this server: forks, commits of merge requests from forks, moves to other storages. */
export class RepositoryCopier {
  constructor(
    private readonly git: GitRunner,
    private readonly storage: RepositoryStorage,
    private readonly objects: ObjectReader,
  ) {}

  /**
   * Creates a repository with the branches and tags of another one on the same disk. Object files are hard-linked: a
   * fork costs almost nothing, and neither side can delete the other's objects.
   * @throws repository_exists, repository_not_found if the source was deleted meanwhile
   */
  async fork(source: string, target: string): Promise<void> {
    if (await this.storage.exists(target)) throw new GitError('repository_exists');
    const fresh = await this.storage.createUnplaced();
    try {
      await linkFiles(join(source, 'objects'), join(fresh, 'objects'), isObjectFile);
      // Objects that a concurrent repack removed are fetched; git checks every ref against its objects.
      await this.fetch(fresh, source, CODE_REFS);
      const head = await this.storage.defaultBranch(source);
      if (head) await this.storage.setDefaultBranch(fresh, head);
      await this.storage.place(fresh, target);
    } catch (error) {
      await this.storage.remove(fresh);
      throw (await this.storage.exists(source)) ? error : new GitError('repository_not_found');
    }
  }

  /** @param source folder of a repository, or file of a bundle */
  async fetch(repository: string, source: string, refspecs: readonly string[], signal?: AbortSignal): Promise<void> {
    const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--end-of-options'];
    await this.git.run(repository, ['fetch', ...flags, source, ...refspecs], {
      signal,
      timeoutMs: TRANSFER_TIMEOUT_MS,
    });
  }

  /**
   * The objects of all refs, without those that the receiver has, as a bundle for {@link fetch}.
   * @returns null if there is nothing to send
   */
  async bundle(repository: string, has: readonly string[], signal?: AbortSignal): Promise<Readable | null> {
    const known = await this.present(repository, has);
    const input = known.map((id) => `^${id}\n`).join('');
    const newest = await this.git.text(repository, ['rev-list', '--max-count=1', '--all', '--stdin'], { input });
    // A ref may be new although its commits are not; the receiver gets refs from a snapshot, so nothing is lost.
    if (newest.trim() === '') return null;
    const args = ['bundle', 'create', '--quiet', '-', '--all', '--stdin'];
    const child = await this.git.open(repository, args, { signal });
    child.stdin.end(input);
    return checkedOutput(child, repository, 'bundle');
  }

  async snapshot(repository: string): Promise<RefSnapshot> {
    const output = await this.git.text(repository, ['for-each-ref', '--format=%(objectname) %(refname)']);
    const refs = output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ id: line.slice(0, 40), name: line.slice(41) }));
    return { head: await this.storage.defaultBranch(repository), refs };
  }

  /** Sets the refs to exactly those of a snapshot; their objects must exist. */
  async restore(repository: string, wanted: RefSnapshot): Promise<void> {
    const present = new Map((await this.snapshot(repository)).refs.map(({ name, id }) => [name, id]));
    const updates: RefUpdate[] = wanted.refs
      .filter(({ name, id }) => present.get(name) !== id)
      .map(({ name, id }) => ({ refName: name, before: present.get(name) ?? null, after: id }));
    const names = new Set(wanted.refs.map(({ name }) => name));
    for (const [name, id] of present) if (!names.has(name)) updates.push({ refName: name, before: id, after: null });
    // Deletions first: `a` must be deleted before `a/b` can be created.
    const lines = updates
      .toSorted((a, b) => Number(a.after !== null) - Number(b.after !== null))
      .map(({ refName, after }) => (after ? `update ${refName}\0${after}\0\0` : `delete ${refName}\0\0`));
    if (lines.length > 0) await this.git.run(repository, ['update-ref', '--stdin', '-z'], { input: lines.join('') });
    if (wanted.head) await this.storage.setDefaultBranch(repository, wanted.head);
    this.objects.drop(repository);
  }

  /** @throws git_failed if an object of a ref is missing */
  async verify(repository: string): Promise<void> {
    await this.git.run(repository, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], {
      timeoutMs: TRANSFER_TIMEOUT_MS,
    });
  }

  private async present(repository: string, ids: readonly string[]): Promise<string[]> {
    const found = await Promise.all(ids.map((id) => this.objects.info(repository, id)));
    return ids.filter((_, index) => found[index] !== null);
  }
}
