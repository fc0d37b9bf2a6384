import type { PresignedUrl } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { keyOf } from './secure-file.repository';
import type { SecureFile } from './secure-file.schema';

type Served = Pick<SecureFile, '_id' | 'projectId' | 'name'>;

/** Sends secure files on the data port. */
@Injectable()
export class ServeSecureFiles {
  constructor(
    private readonly dataPort: DataPort,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Served>('secure-file', async ({ name: filename, ...file }, request, response) => {
      const stored = { key: keyOf(file), version: String(file._id) };
      const shown = { ...stored, contentType: 'application/octet-stream', filename, isInline: false };
      await sendObject(storage, shown, request, response);
    });
  }

  address({ _id, projectId, name }: SecureFile): PresignedUrl {
    return this.dataPort.presign('secure-file', { _id, projectId, name });
  }
}
