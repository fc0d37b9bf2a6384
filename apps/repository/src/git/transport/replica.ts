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

/** What a replica is like, and what the copying of it may use. */
export interface ReplicaSource {
  address: RemoteAddress;
  /** All refs that it shows now. */
  refs(): Promise<RefSnapshot>;
  /** The objects that a request of git asks for. */
  pack: PackSource;
  /** Of each git command. */
  timeoutMs: number;
  /** Bound of the replica on disk. */
  maxBytes?: number | undefined;
}

/** The source moves on while it is copied, and is compared again so often. */
const MAX_ROUNDS = 3;
/** A source that says nothing for so long is given up by git itself, also where this process was killed meanwhile. */
const SILENCE = { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': '120' };
const FULL_CHECK_MS = 10 * 60_000;
/** Beside what the source did, these may come of what is on this disk. */
const SUSPECT: readonly string[] = ['git_failed', 'object_unreadable', 'repository_not_found'];

/** Repositories that are kept like those of another site: all refs that it shows, and HEAD. */
export class ReplicaSync {
  constructor(
    private readonly git: GitRunner,
    private readonly storage: RepositoryStorage,
    private readonly objects: ObjectReader,
  ) {}

  /**
   * Makes the repository at a place like the source; one that is damaged, or not there, is made beside it, and put there
   * whole.
   * @param isDamaged what is there is known to be of no use
   * @returns whether the copy was created again
   * @throws replica_failed, replica_source_missing, import_too_large; the replica is what it was then, or nearer to its source
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
   * Reads every object; where that takes too long, looks whether they are all there.
   * @returns what is damaged, in git's words; null where all is well
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
   * SHA-256 of all refs, and of the branch that HEAD names where that is there: the same of a replica and of its source.
   * @throws repository_not_found
   */
  async checksum(path: string): Promise<string> {
    return createHash('sha256')
      .update(linesOf(await this.snapshot(path)))
      .digest('hex');
  }

  /** @returns false where what is there is damaged */
  private async update(path: string, wanted: RefSnapshot, source: ReplicaSource): Promise<boolean> {
    try {
      await this.bringUp(path, wanted, source);
      return true;
    } catch (error) {
      if (!(error instanceof GitError) || !SUSPECT.includes(error.reason)) throw error;
      // While the source answers, it is not at fault.
      await source.refs();
      if ((await this.fsck(path, '--connectivity-only', source.timeoutMs)) === null) throw error;
      return false;
    }
  }

  /** The copy is of one moment; later changes of the source are for the next sync. */
  private async make(path: string, source: ReplicaSource): Promise<void> {
    const wanted = await source.refs();
    const fresh = await this.storage.createUnplaced();
    try {
      // Names of other bytes than UTF-8, or that git does not take, are for git to fetch, or to leave.
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

  /** As its source would show it. */
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
  // A redirect by the source is not followed: only the primary is a primary.
  config: {
    ...address.config,
    ...SILENCE,
    'http.followRedirects': 'false',
    // Version 0 of the protocol lists all refs in the first answer, which is wanted here, and prints no notice.
    'protocol.version': '0',
    'http.extraHeader': [address.config['http.extraHeader'] ?? [], `Git-Protocol: ${allRefsParameter}`].flat(),
  },
});

const isPlain = (name: string): boolean => isRefname(name) && !name.includes('\ufffd');

/** A source does not send its HEAD if HEAD names a branch that does not exist. */
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
