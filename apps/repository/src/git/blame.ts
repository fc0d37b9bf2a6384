import type { Commit } from './commit';
import type { CommitReader } from './commit-reader';
import { GitError } from './errors';
import type { FileReader } from './files';
import type { GitRunner } from './run-git';
import { decodeText } from './text';

/** Lines in a row that one commit wrote last. */
export interface BlameRange {
  commit: Commit;
  lines: string[];
}

const HEADER = /^([0-9a-f]{40}) \d+ \d+(?: \d+)?$/;

/** Who wrote which line of a file last. */
export class BlameReader {
  constructor(
    private readonly git: GitRunner,
    private readonly commits: CommitReader,
    private readonly files: FileReader,
  ) {}

  /**
   * @param lines only these, counted from 1, both ends included
   * @throws revision_not_found, path_not_found, request_malformed
   */
  async read(
    repository: string,
    revision: string,
    path: string,
    options: { lines?: { first: number; last: number }; signal?: AbortSignal } = {},
  ): Promise<BlameRange[]> {
    const file = await this.files.find(repository, revision, path);
    if (file.sizeBytes === 0) return [];
    const range = options.lines ? [`-L${options.lines.first},${options.lines.last}`] : [];
    const args = ['blame', '--line-porcelain', ...range, file.commitId, '--', file.filePath];
    const { stdout } = await this.git.run(repository, args, { signal: options.signal }).catch((error) => {
      const isRange = error instanceof GitError && /has only \d+ line|-L/.test(error.detail);
      throw isRange ? new GitError('request_malformed', '', error.detail) : error;
    });
    return this.group(repository, readLines(stdout));
  }

  private async group(repository: string, lines: { commitId: string; text: string }[]): Promise<BlameRange[]> {
    const ranges: BlameRange[] = [];
    for (const { commitId, text } of lines) {
      const last = ranges.at(-1);
      if (last?.commit.id === commitId) last.lines.push(text);
      else ranges.push({ commit: (await this.commits.get(repository, commitId))!, lines: [text] });
    }
    return ranges;
  }
}

/** Of `git blame --line-porcelain`: a header with the commit's id, facts, and the line itself after a tab. */
function readLines(output: Buffer): { commitId: string; text: string }[] {
  const lines: { commitId: string; text: string }[] = [];
  let commitId = '';
  for (const line of output.toString('latin1').split('\n')) {
    if (line.startsWith('\t')) lines.push({ commitId, text: decodeText(Buffer.from(line.slice(1), 'latin1')) });
    else commitId = HEADER.exec(line)?.[1] ?? commitId;
  }
  return lines;
}
