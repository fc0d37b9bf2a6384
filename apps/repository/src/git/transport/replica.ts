import { createHash } from 'node:crypto';
import type { ObjectReader } from '../objects/object-reader';
import { isRefname } from '../objects/revision';
import { GitError } from '../process/errors';
import type { GitRunner, RunOptions } from '../process/run-git';
import type { RepositoryStorage } from '../storage/storage';
import { allRefsParameter } from './all-refs';
import { ALL_REFS, linesOf, type RefSnapshot } from './copy';
import { copyFirst, type PackSource } from './first-copy';
import { explainRemote, type RemoteAddress } from './remote-address';
import { withinBytes } from './within-bytes';

/** The source of a replica, and limits of the copy. */
export interface ReplicaSource {
  address: RemoteAddress;
  /** All refs that it currently advertises. */
  refs(): Promise<RefSnapshot>;
  /** The objects for a request of git. */
  pack: PackSource;
  /** Time limit of each git command. */
  timeoutMs: number;
  /** Limit of the replica on disk. */
  maxBytes?: number | undefined;
}

/** The source may change during the copy; it is compared again up to this many times. */
const MAX_ROUNDS = 3;
/** Git aborts when a source is silent for so long, even if this process was killed meanwhile. */
const SILENCE = { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': '120' };
const FULL_CHECK_MS = 10 * 60_000;
/** Errors that may also be caused by damage on this disk. */
const SUSPECT: readonly string[] = ['git_failed', 'object_unreadable', 'repository_not_found'];

/** Repositories that replicate those of another site: all advertised refs, and HEAD. */
export class ReplicaSync {
  constructor(
    private readonly git: GitRunner,
    private readonly storage: RepositoryStorage,
    private readonly objects: ObjectReader,
  ) {}

  /**
   * Updates the repository at a path from the source; a damaged or missing one is created beside it, and placed when it
   * is complete.
   * @param isDamaged whether the existing one is known to be unusable
   * @returns whether it was created again
   * @throws replica_failed, replica_source_missing, import_too_large; the replica is unchanged then, or closer to its
   *   source
   */
  async sync(path: string, source: ReplicaSource, isDamaged: boolean): Promise<{ madeAnew: boolean }> {
    try {
      const isThere = !isDamaged && (await this.storage.exists(path));
      const madeAnew = !isThere || !(await this.update(path, await source.refs(), source));
      if (madeAnew) await this.make(path, source);
      return { madeAnew };
    } catch (error) {
      throw explain(error);
    } finally {
      this.objects.drop(path);
    }
  }

  /**
   * Reads every object; if that takes too long, checks only that they all exist.
   * @returns the damage in git's words; null if it is intact
   * @throws replica_failed
   */
  async findDamage(path: string, timeoutMs: number): Promise<string | null> {
    if (!(await this.storage.exists(path))) return 'it is missing';
    try {
      return await this.fsck(path, '--full', Math.min(timeoutMs, FULL_CHECK_MS)).catch((error: unknown) => {
        if (!(error instanceof GitError) || error.reason !== 'timed_out') throw error;
        return this.fsck(path, '--connectivity-only', timeoutMs);
      });
    } catch (error) {
      throw explain(error);
    }
  }

  /**
   * SHA-256 of all refs, and of the branch of HEAD if it exists: equal for a replica and its source.
   * @throws repository_not_found
   */
  async checksum(path: string): Promise<string> {
    return createHash('sha256')
      .update(linesOf(await this.snapshot(path)))
      .digest('hex');
  }

  /** @returns false if the existing one is damaged */
  private async update(path: string, wanted: RefSnapshot, source: ReplicaSource): Promise<boolean> {
    try {
      await this.bringUp(path, wanted, source);
      return true;
    } catch (error) {
      if (!(error instanceof GitError) || !SUSPECT.includes(error.reason)) throw error;
      // If the source answers, it is not the cause.
      await source.refs();
      if ((await this.fsck(path, '--connectivity-only', source.timeoutMs)) === null) throw error;
      return false;
    }
  }

  /** The copy shows one moment; later changes of the source are left to the next sync. */
  private async make(path: string, source: ReplicaSource): Promise<void> {
    const wanted = await source.refs();
    const fresh = await this.storage.createUnplaced();
    try {
      // Names that are not UTF-8, or that git refuses, are left to git fetch.
      if (wanted.refs.every(({ name }) => isPlain(name))) await this.fill(fresh, wanted, source);
      await this.bringUp(fresh, wanted, source);
      await this.storage.replace(fresh, path);
    } catch (error) {
      await this.storage.remove(fresh);
      throw error;
    }
  }

  private fill(fresh: string, wanted: RefSnapshot, { pack, timeoutMs, maxBytes }: ReplicaSource): Promise<void> {
    return withinBytes(fresh, maxBytes, (signal) => copyFirst(this.git, fresh, wanted, { pack, timeoutMs, signal }));
  }

  private async bringUp(path: string, first: RefSnapshot, source: ReplicaSource): Promise<void> {
    let wanted = first;
    for (let round = 0; !isLike(await this.snapshot(path), wanted); round++) {
      if (round === MAX_ROUNDS) throw new GitError('git_failed', '', 'it changes faster than it can be copied');
      await this.fetch(path, source);
      if (wanted.head && wanted.head !== (await this.storage.defaultBranch(path)))
        await this.storage.setDefaultBranch(path, wanted.head);
      if (isLike(await this.snapshot(path), wanted)) return;
      wanted = await source.refs();
    }
  }

  private async fetch(path: string, source: ReplicaSource): Promise<void> {
    const flags = ['--quiet', '--prune', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
    await withinBytes(path, source.maxBytes, (signal) =>
      this.git.run(path, ['fetch', ...flags, '--end-of-options', source.address.url, ...ALL_REFS], {
        ...optionsFor(source),
        signal,
      }),
    );
  }

  /** In the form that its source advertises. */
  private async snapshot(path: string): Promise<RefSnapshot> {
    const found = await this.objects.refs.list(path, 'refs');
    const refs = found.map(({ id, name }) => ({ id, name: Buffer.from(name, 'latin1').toString() }));
    const head = await this.storage.defaultBranch(path);
    return { head: refs.some(({ name }) => name === `refs/heads/${head}`) ? head : null, refs };
  }

  private async fsck(path: string, how: string, timeoutMs: number): Promise<string | null> {
    try {
      await this.git.run(path, ['fsck', how, '--no-dangling', '--no-progress'], { timeoutMs });
      return null;
    } catch (error) {
      if (!(error instanceof GitError) || !SUSPECT.includes(error.reason)) throw error;
      return (
        error.detail
          .replace(/^git fsck: /, '')
          .trim()
          .slice(0, 1000) || 'objects are missing'
      );
    }
  }
}

const optionsFor = ({ address, timeoutMs }: ReplicaSource): RunOptions => ({
  timeoutMs,
  hasHelpers: true,
  env: address.env,
  // Redirects of the source are not followed.
  config: {
    ...address.config,
    ...SILENCE,
    'http.followRedirects': 'false',
    // Version 0 of the protocol lists all refs in the first answer, which is needed here, and prints no notice.
    'protocol.version': '0',
    'http.extraHeader': [address.config['http.extraHeader'] ?? [], `Git-Protocol: ${allRefsParameter}`].flat(),
  },
});

const isPlain = (name: string): boolean => isRefname(name) && !name.includes('\ufffd');

/** A source does not send HEAD if its branch does not exist. */
const isLike = (here: RefSnapshot, wanted: RefSnapshot): boolean =>
  linesOf({ ...here, head: wanted.head && here.head }) === linesOf(wanted);

function explain(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  if (error.reason === 'timed_out') return new GitError('replica_failed', 'it took too long', error.detail);
  if (error.reason === 'import_too_large') return new GitError('replica_failed', 'the repository is too large');
  if (!SUSPECT.includes(error.reason)) return error;
  const words = error.detail.replace(/^git [\w-]+: /, '');
  if (/^fatal: repository '.*' not found/m.test(words)) return new GitError('replica_source_missing', '', words);
  if (/terminal prompts disabled|Authentication failed|returned error: 401/.test(words))
    return new GitError('replica_failed', 'the primary refuses the credentials', words);
  return new GitError('replica_failed', explainRemote(words), words);
}
