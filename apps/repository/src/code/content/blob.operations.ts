import { type ContextOf, contentErrors, getBlob, getRawBlob, type ParsedOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, shareOf } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { Storages } from '../../storage/storages';
import { sendBlob } from './send-blob';

/** Blobs travel inside of JSON, so larger ones are for the raw form. */
const maxBlobBytes = 5 << 20;

interface PresignedBlob {
  project: { id: number; storage: string };
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
      const { engine, path } = this.storages.locate(asked.project);
      return sendBlob(engine, path, asked, request, response);
    });
  }

  @Handles(getBlob)
  async get({ project }: ContextOf<typeof getBlob>, { sha }: ParsedOf<typeof getBlob>) {
    const { engine, path } = this.storages.locate(project);
    const blob = isObjectId(sha) ? await engine.objects.read(path, sha, maxBlobBytes) : null;
    if (blob?.type !== 'blob') throw contentErrors.blobNotFound();
    return { size: blob.content.length, encoding: 'base64' as const, content: blob.content.toString('base64'), sha };
  }

  @Handles(getRawBlob)
  async raw(context: ContextOf<typeof getRawBlob>, { sha }: ParsedOf<typeof getRawBlob>) {
    const { project } = context;
    const { engine, path } = this.storages.locate(project);
    const info = isObjectId(sha) ? await engine.objects.info(path, sha) : null;
    if (info?.type !== 'blob') throw contentErrors.blobNotFound();
    const { id, storage } = project;
    return this.dataPort.presign('blob', {
      project: { id, storage },
      blobId: sha,
      fileName: sha,
      who: shareOf(context),
    } satisfies PresignedBlob);
  }
}

/** 64 digits go on to the engine, which says clearly why it refuses them. */
const isObjectId = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
