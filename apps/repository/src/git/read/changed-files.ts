import { orNull, TooFar } from '../history/commit-steps';
import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { decodeName } from '../process/text';
import { type ChangedFiles, noChanges, TreeComparer } from './compare-trees';

type Compared = Pick<Commit, 'id' | 'treeId' | 'parentIds'>;

const MAX_OUTPUT_BYTES = 16 << 20;

/** Changed files of commits. Small changes are compared in this process, larger ones by one git process for all commits. */
export class ChangedFilesReader {
  private readonly comparer: TreeComparer;

  constructor(
    private readonly git: GitRunner,
    objects: ObjectReader,
    private readonly commits: CommitReader,
  ) {
    this.comparer = new TreeComparer(objects);
  }

  /** By commit id, each compared with its first parent. Empty lists for all commits if there are too many changes. */
  async list(repository: string, commits: readonly Compared[]): Promise<ReadonlyMap<string, ChangedFiles>> {
    return (await orNull(this.compare(repository, commits))) ?? this.ask(repository, commits);
  }

  /** Without a process. @throws TooFar */
  private async compare(repository: string, commits: readonly Compared[]): Promise<Map<string, ChangedFiles>> {
    const changes = new Map<string, ChangedFiles>();
    const limits = { trees: 60, files: 1000, characters: 1 << 20 };
    for (const { id, treeId, parentIds } of commits) {
      const [parentId] = parentIds;
      const parent = parentId === undefined ? null : await this.commits.get(repository, parentId);
      if (parentId !== undefined && parent === null) throw new TooFar();
      const trees = { before: parent?.treeId ?? null, after: treeId };
      changes.set(id, await this.comparer.compare(repository, trees, limits));
    }
    return changes;
  }

  private async ask(repository: string, commits: readonly Compared[]): Promise<Map<string, ChangedFiles>> {
    const changes = new Map(commits.map(({ id }) => [id, noChanges()]));
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

/** NUL-separated: the id of a commit, then status and path of each of its files. */
function read(output: Buffer, changes: Map<string, ChangedFiles>): void {
  const words = output.toString('latin1').split('\0');
  let current = noChanges();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^[0-9a-f]{40}$/.test(word)) current = changes.get(word) ?? noChanges();
    else if (/^[A-Z]$/.test(word)) listOf(current, word).push(decodeName(Buffer.from(words[++at] ?? '', 'latin1')));
  }
}

function listOf(files: ChangedFiles, status: string): string[] {
  if (status === 'A') return files.added;
  return status === 'D' ? files.removed : files.modified;
}
