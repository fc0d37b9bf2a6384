import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { explainRemote, type RemoteAddress } from './remote-address';

export interface MirrorPush {
  address: RemoteAddress;
  /** Full names; if absent all branches and tags, and those that were deleted here are deleted there, too. */
  refs?: readonly string[] | undefined;
  /** Refs that diverged on the other server stay unchanged, and nothing is deleted. */
  keepsDivergent: boolean;
  timeoutMs: number;
}

/** Pushes branches and tags to another server, as a mirror. */
export class MirrorPusher {
  constructor(private readonly git: GitRunner) {}

  /**
   * @returns diverged refs that were not updated
   * @throws mirror_failed with the reason, timed_out
   */
  async push(repository: string, { address, refs, keepsDivergent, timeoutMs }: MirrorPush): Promise<string[]> {
    if (refs?.length === 0) return [];
    const specs = refs ? refs.map((ref) => `${ref}:${ref}`) : ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'];
    const flags = [...(keepsDivergent ? [] : ['--force']), ...(refs || keepsDivergent ? [] : ['--prune'])];
    try {
      const { stdout, exitCode } = await this.git.run(
        repository,
        ['push', '--porcelain', '--no-verify', ...flags, '--end-of-options', address.url, ...specs],
        { timeoutMs, hasHelpers: true, exitCodes: [0, 1], env: address.env, config: address.config },
      );
      const refused = refusedRefs(stdout.toString('utf8'));
      if (exitCode !== 0 && refused.length === 0) throw new GitError('mirror_failed', 'git failed without a word');
      return refused;
    } catch (error) {
      if (!(error instanceof GitError) || error.reason !== 'git_failed') throw error;
      throw new GitError('mirror_failed', explainRemote(error.detail.replace(/^git push: /, '')), error.detail);
    }
  }
}

/** Lines of rejected refs start with `!`: `!<tab>from:to<tab>[rejected] (non-fast-forward)`. */
function refusedRefs(porcelain: string): string[] {
  return porcelain
    .split('\n')
    .filter((line) => line.startsWith('!\t'))
    .map((line) => {
      const [, spec = '', why = ''] = line.split('\t');
      return `${spec.split(':').pop()} ${why}`.trim();
    });
}
