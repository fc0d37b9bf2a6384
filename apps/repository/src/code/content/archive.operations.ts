import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type ContextOf, contentErrors, getArchive, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { archiveFormat } from '../../git/read/archive';
import { Storages } from '../../storage/storages';

interface PresignedArchive {
  project: { id: number; storage: string; path: string };
  ref: string;
  format?: string | undefined;
  path?: string | undefined;
  who?: string | undefined;
}

@Controller()
export class ArchiveOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedArchive>('archive', (asked, request, response) => this.send(asked, request, response));
  }

  private async send(asked: PresignedArchive, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    request.once('close', () => gone.abort());
    const { project, ref, path: folder, who } = asked;
    const { engine, path } = this.storages.locate(project);
    const wanted = { project: project.path, ref, format: archiveFormat(asked.format), path: folder };
    const fileName = await engine.archives.fileName(path, wanted);
    const cache = this.storages.archiveCache(project.storage);
    // The name contains the commit id, so a cached file is never outdated.
    const parts = [path, fileName ?? '', folder ?? ''];
    const kept = fileName ? await cache.find(parts) : null;
    const archive = kept ?? (await engine.archives.open(path, { ...wanted, who, signal: gone.signal }));
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${(fileName ?? 'archive').replace(/["\\\r\n]/g, '_')}"`,
      ...(kept && { 'content-length': kept.sizeBytes }),
    });
    await pipeline(kept ? kept.stream : cache.keep(parts, archive.stream), response);
  }

  /** Unknown revisions are refused here, before the response starts. */
  @Handles(getArchive)
  async get(context: ContextOf<typeof getArchive>, { sha, format, path: folder }: ParsedOf<typeof getArchive>) {
    const { project } = context;
    archiveFormat(format);
    const { engine, path } = this.storages.locate(project);
    const ref = sha || (await engine.storage.defaultBranch(path)) || 'HEAD';
    const commit = await engine.commits.find(path, ref);
    if (!commit) throw contentErrors.fileNotFound();
    if (folder && !(await engine.trees.find(path, commit.treeId, folder))) throw contentErrors.fileNotFound();
    const { id, storage, path: name } = project;
    return this.dataPort.presign('archive', {
      project: { id, storage, path: name },
      ref,
      format,
      path: folder,
      who: shareOf(context),
    } satisfies PresignedArchive);
  }
}
