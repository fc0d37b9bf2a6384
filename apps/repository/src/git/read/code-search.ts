import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { LRUCache } from 'lru-cache';
import { cacheKey } from '../objects/cache-key';
import type { ObjectReader } from '../objects/object-reader';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { decodeName } from '../process/text';
import { GrepOutput, type Hunk } from './parse-grep';

/** A text file to search. Its path is a Latin-1 string of bytes. */
export interface SearchedFile {
  blobId: string;
  bytes: string;
  path: string;
}

/** Larger files are skipped: they are not written by hand. */
const maxFileBytes = 1 << 20;
/** A tree with more files is refused. */
const maxListingBytes = 64 << 20;
const maxOutputBytes = 16 << 20;
const contextLines = 2;
/** Estimated size of a listed file. */
const fileBytes = 400;

/**
 * Searches the files of a tree with `git grep`. A temporary index lists the files for git, so large files and files
 * that a filter excludes are never read. The search text is passed on standard input, as text and not as a pattern.
 */
export class CodeSearch {
  private readonly listings = new LRUCache<string, readonly SearchedFile[]>({
    maxSize: 64 << 20,
    sizeCalculation: (files) => (files.length + 1) * fileBytes,
  });
  private folder?: string;

  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
  ) {}

  /**
   * The regular files of a tree up to the size limit, by path. @throws object_too_large for too many files, timed_out,
   * cancelled
   */
  async files(repository: string, treeId: string, signal: AbortSignal): Promise<readonly SearchedFile[]> {
    const key = cacheKey(this.objects.generation(repository), treeId);
    const kept = this.listings.get(key);
    if (kept) return kept;
    const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', treeId];
    const { stdout } = await this.git.run(repository, args, { signal, maxOutputBytes: maxListingBytes });
    const files = stdout.toString('latin1').split('\0').flatMap(fileOf);
    this.listings.set(key, files);
    return files;
  }

  /**
   * Matches of a text in any case, with the lines around them, by path and line.
   * @returns `isAll` unless there are more than `limit`, or their lines exceed the byte limit
   * @throws timed_out, cancelled
   */
  async grep(
    repository: string,
    files: readonly SearchedFile[],
    text: string,
    { limit, signal }: { limit: number; signal: AbortSignal },
  ): Promise<{ hunks: Hunk[]; isAll: boolean }> {
    if (files.length === 0) return { hunks: [], isAll: true };
    this.folder ??= temporaryFolder('search');
    const index = path.join(this.folder, randomUUID());
    const env = { GIT_INDEX_FILE: index };
    try {
      const entries = files.map(({ blobId, bytes }) => `100644 ${blobId} 0\t${bytes}\0`).join('');
      // Names that are special on other systems are allowed here: nothing is checked out.
      const config = { 'core.protectHFS': 'false', 'core.protectNTFS': 'false' };
      await this.git.run(repository, ['update-index', '-z', '--index-info'], {
        ...{ env, config, signal },
        input: Buffer.from(entries, 'latin1'),
      });
      return await this.read(repository, env, text, limit, signal);
    } finally {
      await rm(index, { force: true });
    }
  }

  private async read(
    repository: string,
    env: Record<string, string>,
    text: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ hunks: Hunk[]; isAll: boolean }> {
    const options = [
      '--cached',
      '-I',
      '-i',
      '-F',
      '-n',
      '-z',
      '--full-name',
      '--no-color',
      `--context=${contextLines}`,
    ];
    const child = await this.git.open(repository, ['grep', ...options, '-f', '-'], {
      ...{ env, signal },
      config: { 'grep.threads': '2', 'grep.fullName': 'false' },
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.end(`${text}\n`);
    const output = new GrepOutput(limit);
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (!output.isFull && bytes <= maxOutputBytes) output.take(chunk);
      else child.kill('SIGKILL');
    });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (words.length < 4096) words += chunk.toString('utf8');
    });
    const code = await ended;
    if (signal.aborted) throw new GitError('cancelled');
    const isCut = output.isFull || bytes > maxOutputBytes;
    // Exit code 1 means no match.
    if (!isCut && code !== 0 && code !== 1) throw new GitError('git_failed', '', `git grep: ${words}`);
    return { hunks: output.finish(), isAll: !isCut };
  }
}

/**
 * Parses `100644 blob <id> <bytes>\t<path>`; empty for links, submodules, large files, and names that an index refuses.
 */
function fileOf(line: string): SearchedFile | [] {
  const [, mode, blobId = '', size, bytes = ''] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line) ?? [];
  if (!mode?.startsWith('100') || Number(size) > maxFileBytes || Number(size) === 0) return [];
  if (bytes.split('/').some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part))) return [];
  return { blobId, bytes, path: decodeName(Buffer.from(bytes, 'latin1')) };
}
