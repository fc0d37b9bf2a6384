import { createHash } from 'node:crypto';
import {
  type ContextOf,
  contentErrors,
  createFile,
  deleteFile,
  getBlame,
  getFile,
  getRawFile,
  invalidParameters,
  type ParsedOf,
  type ProjectRef,
  Reply,
  updateFile,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, UseInterceptors } from '@nestjs/common';
import type { Commit } from '../../git/objects/commit';
import { CodeWriter, type WriteContext } from '../../push/code-writer';
import { FairReads } from '../../storage/fair-reads';
import { Storages } from '../../storage/storages';
import { viewCommit } from '../commit/commit.view';
import { fileHeaders } from './file-headers';

/** Files are sent inside JSON, so larger ones need the raw form. */
const maxFileBytes = 5 << 20;

type Change = Pick<
  ParsedOf<typeof deleteFile>,
  'file_path' | 'branch' | 'commit_message' | 'start_branch' | 'author_name' | 'author_email'
>;

@Controller()
export class FileOperations {
  constructor(
    private readonly storages: Storages,
    private readonly writer: CodeWriter,
    private readonly dataPort: DataPort,
  ) {}

  @Handles(getFile)
  async get({ project }: ContextOf<typeof getFile>, { file_path, ref }: ParsedOf<typeof getFile>) {
    const { engine, path } = this.storages.locate(project);
    const { commitId, blobId, mode, name } = await this.find(project, file_path, ref);
    const blob = await engine.objects.read(path, blobId, maxFileBytes);
    if (!blob) throw contentErrors.fileNotFound();
    const file = {
      file_name: name,
      file_path,
      size: blob.content.length,
      encoding: 'base64' as const,
      content: blob.content.toString('base64'),
      content_sha256: createHash('sha256').update(blob.content).digest('hex'),
      ref,
      blob_id: blobId,
      commit_id: commitId,
      last_commit_id: (await engine.log.lastCommitOf(path, commitId, file_path)) ?? commitId,
      execute_filemode: mode === '100755',
    };
    return new Reply(file, { headers: fileHeaders(file) });
  }

  @UseInterceptors(FairReads)
  @Handles(getBlame)
  async blame({ project }: ContextOf<typeof getBlame>, { file_path, ref, range }: ParsedOf<typeof getBlame>) {
    const { engine, path } = this.storages.locate(project);
    if (range && range.end < range.start)
      throw invalidParameters('range[start] must be less than or equal to range[end]');
    await this.find(project, file_path, ref);
    const lines = range && { first: range.start, last: range.end };
    const blamed = await engine.blames.read(path, ref, file_path, { lines });
    return blamed.map(({ commit, lines: texts }) => ({ commit: viewBlamed(commit), lines: texts }));
  }

  /** The URL is the one for blobs: a file's bytes are its blob's. */
  @Handles(getRawFile)
  async raw(context: ContextOf<typeof getRawFile>, { file_path, ref }: ParsedOf<typeof getRawFile>) {
    const { project } = context;
    const { blobId, name } = await this.find(project, file_path, ref);
    const { id, storage } = project;
    return this.dataPort.presign('blob', { project: { id, storage }, blobId, fileName: name, who: shareOf(context) });
  }

  @Handles(createFile)
  async create(context: ContextOf<typeof createFile>, input: ParsedOf<typeof createFile>) {
    const { content, encoding, execute_filemode: executeFilemode } = input;
    return this.change(context, input, { action: 'create', content, encoding, executeFilemode });
  }

  @Handles(updateFile)
  async update(context: ContextOf<typeof updateFile>, input: ParsedOf<typeof updateFile>) {
    const { content, encoding, execute_filemode: executeFilemode, last_commit_id: lastCommitId } = input;
    return this.change(context, input, { action: 'update', content, encoding, executeFilemode, lastCommitId });
  }

  @Handles(deleteFile)
  async remove(context: ContextOf<typeof deleteFile>, input: ParsedOf<typeof deleteFile>) {
    await this.change(context, input, { action: 'delete', lastCommitId: input.last_commit_id });
  }

  private async change(
    context: WriteContext,
    input: Change,
    action: {
      action: 'create' | 'update' | 'delete';
      content?: string | undefined;
      encoding?: 'text' | 'base64' | undefined;
      executeFilemode?: boolean | undefined;
      lastCommitId?: string | undefined;
    },
  ) {
    await this.writer.commit(context, {
      branch: input.branch,
      message: input.commit_message,
      start: input.start_branch,
      authorName: input.author_name,
      authorEmail: input.author_email,
      actions: [{ ...action, filePath: input.file_path }],
    });
    return { file_path: input.file_path, branch: input.branch };
  }

  private async find(project: ProjectRef, filePath: string, ref: string | undefined) {
    const { engine, path } = this.storages.locate(project);
    const commit = await engine.commits.find(path, ref);
    if (!commit) throw contentErrors.commitNotFound();
    const entry = await engine.trees.find(path, commit.treeId, filePath);
    if (entry?.type !== 'blob') throw contentErrors.fileNotFound();
    return { commitId: commit.id, blobId: entry.id, mode: entry.mode, name: entry.name };
  }
}

function viewBlamed(commit: Commit) {
  const { short_id: _short, created_at: _created, title: _title, web_url: _url, ...blamed } = viewCommit(commit, '');
  return blamed;
}
