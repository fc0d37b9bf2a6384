import { createHash } from 'node:crypto';
import type { CommitReader } from '../objects/commit-reader';
import type { ObjectReader } from '../objects/object-reader';
import { splitPath, type TreeReader } from '../objects/tree';
import { GitError } from '../process/errors';
import type { LogReader } from './log';

/** A file at a revision. @see docs/api/repository.md#9 */
export interface FileAtRevision {
  fileName: string;
  filePath: string;
  sizeBytes: number;
  blobId: string;
  commitId: string;
  /** The newest commit that changed the file. */
  lastCommitId: string;
  isExecutable: boolean;
}

/** Files by path. */
export class FileReader {
  constructor(
    private readonly objects: ObjectReader,
    private readonly commits: CommitReader,
    private readonly trees: TreeReader,
    private readonly log: LogReader,
  ) {}

  /** @throws revision_not_found for an unknown revision, path_not_found for a path without a file */
  async find(repository: string, revision: string, path: string): Promise<FileAtRevision> {
    const commit = await this.commits.find(repository, revision);
    if (!commit) throw new GitError('revision_not_found');
    const filePath = splitPath(path).join('/');
    const entry = await this.trees.find(repository, commit.treeId, filePath);
    const info = entry?.type === 'blob' ? await this.objects.info(repository, entry.id) : null;
    if (!entry || !info) throw new GitError('path_not_found');
    return {
      fileName: entry.name,
      filePath,
      sizeBytes: info.sizeBytes,
      blobId: entry.id,
      commitId: commit.id,
      lastCommitId: (await this.log.lastCommitOf(repository, commit.id, filePath)) ?? commit.id,
      isExecutable: entry.mode === '100755',
    };
  }

  /** The file with its content and SHA-256 in hex. @throws object_too_large besides the above */
  async read(
    repository: string,
    revision: string,
    path: string,
    maxBytes?: number,
  ): Promise<FileAtRevision & { content: Buffer; contentSha256: string }> {
    const file = await this.find(repository, revision, path);
    const blob = await this.objects.read(repository, file.blobId, maxBytes);
    if (!blob) throw new GitError('path_not_found');
    const contentSha256 = createHash('sha256').update(blob.content).digest('hex');
    return { ...file, content: blob.content, contentSha256 };
  }
}
