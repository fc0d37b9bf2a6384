import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type ContextOf, contentErrors, getPatch, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import type { PatchRequest } from '../../git/read/patch';
import { Storages } from '../../storage/storages';

interface PresignedPatch extends Omit<PatchRequest, 'signal'> {
  project: { id: number; storage: string };
}

/** Changes as files that git applies. */
@Controller()
export class PatchOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedPatch>('patch', (asked, request, response) => this.send(asked, request, response));
  }

  private async send(
    { project, ...asked }: PresignedPatch,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const gone = new AbortController();
    request.once('close', () => gone.abort());
    const { engine, path } = this.storages.locate(project);
    const patch = await engine.patches.open(path, { ...asked, signal: gone.signal });
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    await pipeline(patch, response);
  }

  /** Unknown commits are refused here, before the response starts. */
  @Handles(getPatch)
  async get(context: ContextOf<typeof getPatch>, { from, to, format }: ParsedOf<typeof getPatch>) {
    const { id, storage } = context.project;
    const { engine, path } = this.storages.locate(context.project);
    const [before, after] = await Promise.all([
      from ? engine.commits.find(path, from) : null,
      engine.commits.find(path, to),
    ]);
    if (!after || (from !== undefined && !before)) throw contentErrors.commitNotFound();
    return this.dataPort.presign('patch', {
      ...{ project: { id, storage }, from: before?.id ?? null, to: after.id, format },
      who: shareOf(context),
    } satisfies PresignedPatch);
  }
}
