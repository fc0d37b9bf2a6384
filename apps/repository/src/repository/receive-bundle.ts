import { createWriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ContextOf, type ParsedOf, receiveBundle } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { Controller } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { Repositories } from '../record/repository.repository';
import { ensureWiki } from '../storage/ensure-wiki';
import { Storages } from '../storage/storages';

interface Announced {
  project: { id: number; storage: string };
  kind: 'code' | 'wiki';
  head: string | null;
  mostBytes: number;
}

/** Git unpacks a bundle into several files; together they are hardly larger than it. */
const unpackedTimes = 4;
const aLittle = 64 * 1024 ** 2;

/** Receives the bundles of imported projects. Any user may have created the archive of a bundle. */
@Controller()
export class ReceiveBundle {
  constructor(
    private readonly storages: Storages,
    private readonly repositories: Repositories,
    private readonly dataPort: DataPort,
  ) {
    dataPort.serve<Announced>('receive-bundle', (announced, request, response) =>
      this.receive(announced, request, response),
    );
  }

  @Handles(receiveBundle)
  async address({ project }: ContextOf<typeof receiveBundle>, input: ParsedOf<typeof receiveBundle>) {
    const location = { id: input.project_id, storage: project.storage };
    const { engine, path } = this.storages.locate(location, input.kind);
    if (input.kind === 'wiki') await ensureWiki(engine, path, location.id);
    if (!(await engine.storage.exists(path))) throw new GitError('repository_not_found');
    const { kind, head, most_bytes: mostBytes } = input;
    return this.dataPort.presign('receive-bundle', { project: location, kind, head, mostBytes } satisfies Announced);
  }

  private async receive(
    { project, kind, head, mostBytes }: Announced,
    request: IncomingMessage,
    answer: ServerResponse,
  ) {
    const { engine, path } = this.storages.locate(project, kind);
    const folder = temporaryFolder('bundle');
    try {
      const file = join(folder, 'all.bundle');
      const bytes = Readable.from(withinBytes(request.iterator({ destroyOnReturn: false }), mostBytes));
      await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
      const maxBytes = mostBytes * unpackedTimes + aLittle;
      await engine.imports.fromBundle(path, file, { head, maxBytes, timeoutMs: 3_600_000 });
      // If the project was deleted meanwhile, its repositories may have been removed before this one was filled.
      if (!(await this.repositories.find(project.id))) await engine.remove(path);
    } finally {
      await removeTemporaryFolder(folder);
    }
    answer.writeHead(200, { 'content-length': 0 }).end();
  }
}

async function* withinBytes(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > most) throw new GitError('import_too_large');
    yield chunk;
  }
}
