import { pipeline } from 'node:stream/promises';
import { type ContextOf, commonErrors, forbidden, getSnapshot, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import type { RepositoryKind } from '../../git/storage/storage';
import { type RepositoryLocation, Storages } from '../../storage/storages';

interface PresignedSnapshot {
  project: RepositoryLocation;
  kind: RepositoryKind;
  who?: string | undefined;
}

/** Whole repositories, for administrators. See docs/api/repository.md#16. */
@Controller()
export class SnapshotOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedSnapshot>('snapshot', async ({ project, kind, who }, request, response) => {
      const gone = new AbortController();
      request.once('close', () => gone.abort());
      const { engine, path } = this.storages.locate(project, kind);
      const tar = await engine.tars.open(path, { who, signal: gone.signal });
      response.writeHead(200, {
        'content-type': 'application/x-tar',
        'content-disposition': 'attachment; filename="snapshot.tar"',
      });
      await pipeline(tar, response);
    });
  }

  @Handles(getSnapshot)
  async get(context: ContextOf<typeof getSnapshot>, { wiki }: ParsedOf<typeof getSnapshot>) {
    const { caller, project } = context;
    if (!caller.isAdmin) throw forbidden();
    const asked: PresignedSnapshot = {
      project: { id: project.id, storage: project.storage },
      kind: wiki ? 'wiki' : 'code',
      who: shareOf(context),
    };
    const { engine, path } = this.storages.locate(asked.project, asked.kind);
    if (!(await engine.storage.exists(path))) throw commonErrors.notFound();
    return this.dataPort.presign('snapshot', asked);
  }
}
