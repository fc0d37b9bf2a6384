import type { PresignedUrl } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { keyOf } from './package-file.repository';
import type { PackageFile } from './package-file.schema';

type Served = Pick<PackageFile, '_id' | 'projectId' | 'name'>;

/** Sends package files on the data port. */
@Injectable()
export class ServePackageFiles {
  constructor(
    private readonly dataPort: DataPort,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Served>('package-file', async ({ name, ...file }, request, response) => {
      const filename = name.split('/').at(-1) ?? 'file';
      // A file that is uploaded again has a new id.
      const stored = { key: keyOf(file), version: String(file._id) };
      const shown = { ...stored, contentType: 'application/octet-stream', filename, isInline: false };
      await sendObject(storage, shown, request, response);
    });
  }

  address({ _id, projectId, name }: PackageFile): PresignedUrl {
    return this.dataPort.presign('package-file', { _id, projectId, name });
  }
}
