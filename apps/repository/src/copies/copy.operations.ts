import { pipeline } from 'node:stream/promises';
import { type ContextOf, getBundle, getRefs, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { Storages } from '../storage/storages';

interface PresignedBundle {
  project: { id: number; storage: string };
  kind: 'code' | 'wiki';
  has: string[];
}

/** Sends repositories of this storage to processes with other storages. */
@Controller()
export class CopyOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedBundle>('bundle', async ({ project, kind, has }, request, response) => {
      const gone = new AbortController();
      request.once('close', () => gone.abort());
      const { engine, path } = this.storages.locate(project, kind);
      const bundle = await engine.copies.bundle(path, has, gone.signal);
      response.writeHead(bundle ? 200 : 204);
      if (bundle) await pipeline(bundle, response);
      else response.end();
    });
  }

  @Handles(getBundle)
  async bundle({ project }: ContextOf<typeof getBundle>, { project_id, kind, has }: ParsedOf<typeof getBundle>) {
    const location = { id: project_id, storage: project.storage };
    const { engine, path } = this.storages.locate(location, kind);
    if (!(await engine.storage.exists(path))) throw new GitError('repository_not_found');
    return this.dataPort.presign('bundle', { project: location, kind, has } satisfies PresignedBundle);
  }

  @Handles(getRefs)
  async refs({ project }: ContextOf<typeof getRefs>, { project_id, kind }: ParsedOf<typeof getRefs>) {
    const { engine, path } = this.storages.locate({ id: project_id, storage: project.storage }, kind);
    if (!(await engine.storage.exists(path))) return { exists: false, head: null, refs: [] };
    return { exists: true, ...(await engine.copies.snapshot(path)) };
  }
}
