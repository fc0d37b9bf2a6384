import { cacheKey } from '../objects/cache-key';
import { growingCache } from '../objects/growing-cache';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';

/** The best common ancestor of two or more commits. */
export class MergeBaseReader {
  /** By commits, whose merge base never changes; empty if there is none. */
  private readonly bases = growingCache<string>(50_000);

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
  ) {}

  /** @param commits two or more resolved ids; null if their histories are unrelated */
  async findOfCommits(repository: string, commits: readonly string[]): Promise<string | null> {
    const key = cacheKey(this.objects.generation(repository), commits);
    const known = this.bases.get(key) ?? (await this.ask(repository, commits));
    this.bases.set(key, known);
    return known || null;
  }

  private async ask(repository: string, commits: readonly string[]): Promise<string> {
    // For more than two commits this is their common merge base, not git's default of the first against a merge of the
    // rest.
    const octopus = commits.length > 2 ? ['--octopus'] : [];
    const { stdout } = await this.git.run(repository, ['merge-base', ...octopus, ...commits], { exitCodes: [0, 1] });
    return stdout.toString('latin1').split('\n', 1)[0] ?? '';
  }

  /** @throws refs_too_few, ref_not_found, refs_not_found, merge_base_missing */
  async findOfRefs(repository: string, refs: readonly string[]): Promise<string> {
    if (refs.length < 2) throw new GitError('refs_too_few');
    const resolved = await Promise.all(refs.map((ref) => this.objects.resolve(repository, ref)));
    const unknown = refs.filter((_, index) => resolved[index] === null);
    if (unknown.length === 1) throw new GitError('ref_not_found', unknown[0]);
    if (unknown.length > 1) throw new GitError('refs_not_found', unknown.join(', '));
    const base = await this.findOfCommits(
      repository,
      resolved.filter((id) => id !== null),
    );
    if (!base) throw new GitError('merge_base_missing');
    return base;
  }
}
