import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { decodeName } from '../process/text';

/** Paths that a commit changed; a rename is a removal and an addition. */
export interface ChangedFiles {
  added: string[];
  modified: string[];
  removed: string[];
}

const MAX_OUTPUT_BYTES = 16 << 20;

/** Changed files of commits; one process for many commits. */
export class ChangedFilesReader {
  constructor(private readonly git: GitRunner) {}

  /**
   * By commit id, each compared with its first parent. Empty lists for all commits if there are too many changes.
   * @param commits resolved ids with those of their parents
   */
  async list(
    repository: string,
    commits: readonly { id: string; parentIds: readonly string[] }[],
  ): Promise<Map<string, ChangedFiles>> {
    const changes = new Map(commits.map(({ id }) => [id, nothing()]));
    if (commits.length === 0) return changes;
    const args = ['diff-tree', '--stdin', '--root', '-r', '-z', '--name-status', '--no-renames'];
    const input = commits.map(({ id, parentIds }) => `${[id, ...parentIds.slice(0, 1)].join(' ')}\n`).join('');
    try {
      const { stdout } = await this.git.run(repository, args, { input, maxOutputBytes: MAX_OUTPUT_BYTES });
      read(stdout, changes);
    } catch (error) {
      if (!(error instanceof GitError && error.reason === 'object_too_large')) throw error;
    }
    return changes;
  }

  /**
   * Paths that differ between two commits, up to a limit.
   * @param range resolved ids
   */
  async between(
    repository: string,
    range: { from: string; to: string },
    { paths: mostPaths, bytes }: { paths: number; bytes: number },
  ): Promise<{ paths: string[]; isWhole: boolean }> {
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', range.from, range.to];
    try {
      const { stdout } = await this.git.run(repository, args, { maxOutputBytes: bytes });
      const words = stdout.toString('latin1').split('\0').slice(0, -1);
      const paths = words.slice(0, mostPaths).map((word) => decodeName(Buffer.from(word, 'latin1')));
      return { paths, isWhole: paths.length === words.length };
    } catch (error) {
      if (!(error instanceof GitError && error.reason === 'object_too_large')) throw error;
      return { paths: [], isWhole: false };
    }
  }
}

const nothing = (): ChangedFiles => ({ added: [], modified: [], removed: [] });

/** NUL-separated: the id of a commit, then status and path of each of its files. */
function read(output: Buffer, changes: Map<string, ChangedFiles>): void {
  const words = output.toString('latin1').split('\0');
  let current = nothing();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^[0-9a-f]{40}$/.test(word)) current = changes.get(word) ?? nothing();
    else if (/^[A-Z]$/.test(word)) listOf(current, word).push(decodeName(Buffer.from(words[++at] ?? '', 'latin1')));
  }
}

function listOf(files: ChangedFiles, status: string): string[] {
  if (status === 'A') return files.added;
  return status === 'D' ? files.removed : files.modified;
}
