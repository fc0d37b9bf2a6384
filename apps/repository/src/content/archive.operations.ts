import { pipeline } from 'node:stream/promises';
import { type ContextOf, contentErrors, getArchive, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { archiveFormat } from '../git/archive';
import { Storages } from '../storage/storages';

interface ArchiveTicket {
  project: { id: number; storage: string; path: string };
  ref: string;
  format?: string;
  path?: string;
}

@Controller()
export class ArchiveOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<ArchiveTicket>('archive', async ({ project, ref, format, path: folder }, request, response) => {
      const gone = new AbortController();
      request.once('close', () => gone.abort());
      const { engine, path } = this.storages.locate(project);
      const archive = await engine.archives.open(path, {
        project: project.path,
        ref,
        format: archiveFormat(format),
        path: folder,
        signal: gone.signal,
      });
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${archive.fileName.replace(/["\\\r\n]/g, '_')}"`,
      });
      await pipeline(archive.stream, response);
    });
  }

  /** What is unknown is refused here, while there still is an answer to refuse it with. */
  @Handles(getArchive)
  async get({ project }: ContextOf<typeof getArchive>, { sha, format, path: folder }: ParsedOf<typeof getArchive>) {
    archiveFormat(format);
    const { engine, path } = this.storages.locate(project);
    const ref = sha || (await engine.storage.defaultBranch(path)) || 'HEAD';
    const commit = await engine.commits.find(path, ref);
    if (!commit) throw contentErrors.fileNotFound();
    if (folder && !(await engine.trees.find(path, commit.treeId, folder))) throw contentErrors.fileNotFound();
    const { id, storage, path: name } = project;
    return this.dataPort.ticket('archive', {
      project: { id, storage, path: name },
      ref,
      format,
      path: folder,
    } satisfies ArchiveTicket);
  }
}
