import type { Readable } from 'node:stream';
import type { CommitReader } from '../objects/commit-reader';
import { checkedOutput } from '../process/checked-output';
import type { GitRunner } from '../process/run-git';
import { emptyTree } from './diff';

export interface PatchRequest {
  /** Id of the commit before the changes; null for the first parent of `to`, or for nothing before the first commit. */
  from: string | null;
  /** Id of a commit. */
  to: string;
  /** One `diff` of all changes, or a `patch` as a mail for each commit, which `git am` takes. */
  format: 'diff' | 'patch';
  /** The user, for fair scheduling. */
  who?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Commits in one patch: the newest ones. */
const mostCommits = 1000;
const options = ['--binary', '--full-index', '--find-renames', '--no-color', '--no-ext-diff', '--no-textconv'];

/** Changes as text that git and `patch` apply. */
export class PatchWriter {
  constructor(
    private readonly git: GitRunner,
    private readonly commits: CommitReader,
  ) {}

  /** @returns see {@link checkedOutput} */
  async open(repository: string, request: PatchRequest): Promise<Readable> {
    const { format, who, signal } = request;
    const args = format === 'patch' ? patchArguments(request) : await this.diffArguments(repository, request);
    const child = await this.git.open(repository, args, { who, signal });
    child.stdin.end();
    return checkedOutput(child, repository, format);
  }

  private async diffArguments(repository: string, { from, to }: PatchRequest): Promise<string[]> {
    const before = from ?? (await this.commits.get(repository, to))?.parentIds[0] ?? emptyTree;
    return ['diff-tree', '-r', '--patch', ...options, before, to];
  }
}

const patchArguments = ({ from, to }: PatchRequest): string[] => [
  ...['format-patch', '--stdout', '--no-signature', '--root', ...options],
  ...(from ? [`--max-count=${mostCommits}`, `${from}..${to}`] : ['--max-count=1', to]),
];
