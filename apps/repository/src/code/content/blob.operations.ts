import { type ContextOf, contentErrors, getBlob, getRawBlob, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import type { RepositoryKind } from '../../git/storage/storage';
import { Storages } from '../../storage/storages';
import { sendBlob } from './send-blob';

/** Blobs are sent inside JSON, so larger ones need the raw form. */
const maxBlobBytes = 5 << 20;

interface PresignedBlob {
  project: { id: number; storage: string };
  /** Which repository of the project it is in; the one with its code by default. */
  kind?: RepositoryKind;
  blobId: string;
  fileName: string;
  who?: string | undefined;
}

@Controller()
export class BlobOperations implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedBlob>('blob', (asked, request, response) => {
      const { engine, path } = this.storages.locate(asked.project, asked.kind);
      return sendBlob(engine, path, asked, request, response);
    });
  }

  @Handles(getBlob)
  async get({ project }: ContextOf<typeof getBlob>, { sha }: ParsedOf<typeof getBlob>) {
    const { engine, path } = this.storages.locate(project);
    const id = await engine.objects.resolveBlob(path, sha);
    const blob = id && (await engine.objects.read(path, id, maxBlobBytes));
    if (!blob) throw contentErrors.blobNotFound();
    return {
      size: blob.content.length,
      encoding: 'base64' as const,
      content: blob.content.toString('base64'),
      sha: id,
    };
  }

  @Handles(getRawBlob)
  async raw(context: ContextOf<typeof getRawBlob>, { sha }: ParsedOf<typeof getRawBlob>) {
    const { project } = context;
    const { engine, path } = this.storages.locate(project);
    const blobId = await engine.objects.resolveBlob(path, sha);
    if (!blobId) throw contentErrors.blobNotFound();
    const { id, storage } = project;
    return this.dataPort.presign('blob', {
      project: { id, storage },
      blobId,
      fileName: blobId,
      who: shareOf(context),
    } satisfies PresignedBlob);
  }
}
