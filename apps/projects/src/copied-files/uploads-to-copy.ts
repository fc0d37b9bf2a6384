import type { CopiedFile } from '@moothall/contracts';
import { type FileSource, textId } from '@moothall/files';
import { Injectable } from '@nestjs/common';
import { keyOf, StoredUploads } from '../upload/operations/stored-uploads';
import type { UploadDocument } from '../upload/upload.schema';

/** Uploads of projects that a secondary copies. */
@Injectable()
export class UploadsToCopy implements FileSource<string> {
  readonly idOf = textId;
  readonly prefix = 'uploads';

  constructor(private readonly uploads: StoredUploads) {}

  async above(id: string | undefined, limit: number): Promise<CopiedFile[]> {
    return (await this.uploads.above(id ?? '', limit)).map(view);
  }

  async newest(limit: number): Promise<CopiedFile[]> {
    return (await this.uploads.newest(limit)).map(view);
  }

  async find(id: string): Promise<CopiedFile | undefined> {
    const upload = await this.uploads.findById(id);
    return upload ? view(upload) : undefined;
  }
}

const view = (upload: UploadDocument): CopiedFile => ({
  id: upload._id,
  key: keyOf(upload),
  size: upload.sizeBytes,
  sha256: upload.sha256 ?? null,
  project_ids: [upload.projectId],
});
