import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Commit } from '../objects/commit';
import type { CommitReader } from '../objects/commit-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { decodeText } from '../process/text';
import type { FileReader } from './files';

/** Consecutive lines that the same commit changed last. */
export interface BlameRange {
  commit: Commit;
  lines: string[];
}

const HEADER = /^[0-9a-f]{40} \d+ \d+(?: \d+)?$/;
const NEWLINE = 0x0a;
const TAB = 0x09;
/** Lines read before other work gets a turn. */
const LINES_PER_TURN = 2000;

/** The last author of each line of a file. */
export class BlameReader {
  constructor(
    private readonly git: GitRunner,
    private readonly commits: CommitReader,
    private readonly files: FileReader,
  ) {}

  /**
   * @param lines only this range, from 1, inclusive
   * @throws revision_not_found, path_not_found, request_malformed
   */
  async read(
    repository: string,
    revision: string,
    path: string,
    options: { lines?: { first: number; last: number } | undefined; signal?: AbortSignal } = {},
  ): Promise<BlameRange[]> {
    const file = await this.files.find(repository, revision, path);
    if (file.sizeBytes === 0) return [];
    const range = options.lines ? [`-L${options.lines.first},${options.lines.last}`] : [];
    const args = ['blame', '--porcelain', ...range, file.commitId, '--', file.filePath];
    const { stdout } = await this.git.run(repository, args, { signal: options.signal }).catch((error) => {
      const isRange = error instanceof GitError && /has only \d+ line|-L/.test(error.detail);
      throw isRange ? new GitError('request_malformed', '', error.detail) : error;
    });
    return this.group(repository, stdout);
  }

  private async group(repository: string, output: Buffer): Promise<BlameRange[]> {
    const ranges: BlameRange[] = [];
    let count = 0;
    for (const { commitId, text } of readLines(output)) {
      if (++count % LINES_PER_TURN === 0) await nextTurn();
      const last = ranges.at(-1);
      if (last?.commit.id === commitId) last.lines.push(text);
      else ranges.push({ commit: await this.commits.require(repository, commitId), lines: [text] });
    }
    return ranges;
  }
}

/** Parses `git blame --porcelain`: a header with the commit's id, details the first time, and the line after a tab. */
function* readLines(output: Buffer): Generator<{ commitId: string; text: string }> {
  let commitId = '';
  for (let start = 0; start < output.length; ) {
    const found = output.indexOf(NEWLINE, start);
    const end = found < 0 ? output.length : found;
    if (output[start] === TAB) yield { commitId, text: decodeText(output.subarray(start + 1, end)) };
    else commitId = idIn(output.subarray(start, end)) ?? commitId;
    start = end + 1;
  }
}

function idIn(line: Buffer): string | undefined {
  const text = line.toString('latin1');
  return HEADER.test(text) ? text.slice(0, 40) : undefined;
}
