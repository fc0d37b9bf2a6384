import type { Readable } from 'node:stream';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import { splitPath, type TreeReader } from '../objects/tree';
import { checkedOutput } from '../process/checked-output';
import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';

export type ArchiveFormat = 'tar.gz' | 'tar.bz2' | 'tar' | 'zip';

const ALIASES: Record<string, ArchiveFormat> = {
  'tar.gz': 'tar.gz',
  tgz: 'tar.gz',
  gz: 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
  tar: 'tar',
  zip: 'zip',
};

/** The format of a suffix; tar.gz for none. @throws format_unsupported @see docs/api/repository.md#4 */
export function archiveFormat(suffix = 'tar.gz'): ArchiveFormat {
  const format = Object.hasOwn(ALIASES, suffix) ? ALIASES[suffix] : undefined;
  if (!format) throw new GitError('format_unsupported');
  return format;
}

export interface ArchiveRequest {
  /** Prefix of file names and of the top folder. */
  project: string;
  /** Any revision; `/` becomes `-` in names. */
  ref: string;
  format: ArchiveFormat;
  /** Only this folder or file. */
  path?: string | undefined;
  /** The user, for fair scheduling. */
  who?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface Archive {
  /** See {@link checkedOutput}. */
  stream: Readable;
  /** `<project>-<ref>-<commit>.<ext>` */
  fileName: string;
  commitId: string;
}

/** Archives of a commit's files. */
export class ArchiveWriter {
  constructor(
    private readonly git: GitRunner,
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly trees: TreeReader,
  ) {}

  /**
   * @param project prefix of file names and of the top folder
   * @param ref any revision; `refLabel` is its form in names, with `/` as `-`
   * @param path only this folder or file
   * @throws path_not_found for an unknown revision or path
   */
  async open(repository: string, options: ArchiveRequest): Promise<Archive> {
    const commitId = await this.objects.resolve(repository, options.ref);
    if (!commitId) throw new GitError('path_not_found');
    const paths = await this.requirePath(repository, commitId, options.path);
    const base = baseName(options, commitId);
    const args = ['archive', `--format=${options.format}`, `--prefix=${base}/`, commitId, ...paths];
    const child = await this.git.open(repository, args, {
      who: options.who,
      signal: options.signal,
      config: compressors,
    });
    child.stdin.end();
    const stream = checkedOutput(child, repository, 'archive');
    return { stream, fileName: `${base}.${options.format}`, commitId };
  }

  /** The file name of an archive; null for an unknown revision. */
  async fileName(repository: string, request: ArchiveRequest): Promise<string | null> {
    const commitId = await this.objects.resolve(repository, request.ref);
    return commitId && `${baseName(request, commitId)}.${request.format}`;
  }

  private async requirePath(repository: string, commitId: string, path = ''): Promise<string[]> {
    const parts = splitPath(path);
    if (parts.length === 0) return [];
    const commit = await this.commits.require(repository, commitId);
    if (!(await this.trees.find(repository, commit.treeId, parts.join('/')))) throw new GitError('path_not_found');
    return ['--', parts.join('/')];
  }
}

const baseName = ({ project, ref }: ArchiveRequest, commitId: string): string =>
  [project, ref.replaceAll('/', '-'), commitId].join('-');

/**
 * Compressors run as processes beside git, so the tar does not pass through this process. pigz needs a fifth less work
 * than gzip. It uses one thread, because more would delay other requests.
 */
const compressors = { 'tar.tar.gz.command': 'pigz -cn -p 1', 'tar.tar.bz2.command': 'bzip2 -c' };
