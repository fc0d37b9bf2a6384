import { LRUCache } from 'lru-cache';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import { failureOf, type GitRunner } from '../process/run-git';
import { DiffParser, type FileDiff } from './parse-diff';

export interface DiffLimits {
  files: number;
  lines: number;
  totalBytes: number;
  patchBytes: number;
  timeoutMs: number;
}

/** @see docs/api/repository.md#5 */
export const DIFF_LIMITS: DiffLimits = {
  files: 1000,
  lines: 50_000,
  totalBytes: 5 << 20,
  patchBytes: 200 << 10,
  timeoutMs: 30_000,
};

export interface DiffResult {
  diffs: FileDiff[];
  /** Limits were reached: some texts or files are left out. */
  overflow: boolean;
}

/** The empty tree, which git knows without storing it. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const FORMAT = [
  '--raw',
  '--patch',
  '--full-index',
  '--abbrev=40',
  '-r',
  '-M',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Memory for diffs of one storage, in characters. */
const KEPT_CHARACTERS = 16 << 20;

/** Diffs between trees, as records of the v4 interface. Two ids always have the same diff, so it is cached. */
export class DiffReader {
  private readonly kept = new LRUCache<string, DiffResult>({ maxSize: KEPT_CHARACTERS, sizeCalculation: sizeOf });

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly limits: DiffLimits = DIFF_LIMITS,
  ) {}

  /** From one commit or tree to another, by id; null stands for the empty tree. */
  async compare(repository: string, from: string | null, to: string, signal?: AbortSignal): Promise<DiffResult> {
    const key = `${this.objects.generation(repository)}:${from}:${to}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const { isFinal, ...result } = await this.read(repository, from, to, signal);
    if (isFinal) this.kept.set(key, result);
    return result;
  }

  /** The result is not final if the time was too short: the next attempt may be faster. */
  private async read(
    repository: string,
    from: string | null,
    to: string,
    signal?: AbortSignal,
  ): Promise<DiffResult & { isFinal: boolean }> {
    const args = ['diff-tree', ...FORMAT, from ?? emptyTree, to];
    const child = await this.git.open(repository, args, { signal, timeoutMs: this.limits.timeoutMs });
    const parser = new DiffParser(this.limits);
    let stderr = '';
    child.stdin.end();
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(0, 4096);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      parser.push(chunk);
      if (parser.isFull) child.kill('SIGKILL');
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    if (signal?.aborted) throw new GitError('cancelled');
    if (code !== null && code !== 0) throw failureOf(repository, `git diff-tree: ${stderr}`);
    const isFinal = parser.isFull || code !== null;
    return { diffs: parser.finish(), overflow: parser.isFull || code === null, isFinal };
  }

  /** The changes of a commit, against its first parent. */
  async compareWithParent(repository: string, commitId: string, signal?: AbortSignal): Promise<DiffResult> {
    const commit = await this.commits.get(repository, commitId);
    return this.compare(repository, commit?.parentIds[0] ?? null, commitId, signal);
  }
}

/** In characters, with an estimate for the fields of each file. */
const sizeOf = ({ diffs }: DiffResult): number =>
  diffs.reduce((sum, { diff, old_path, new_path }) => sum + diff.length + old_path.length + new_path.length + 400, 100);
