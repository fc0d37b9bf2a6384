import type { PresignedUrl } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { keyOf } from './lfs-content.repository';
import type { LfsContent } from './lfs-content.schema';

type Served = Pick<LfsContent, '_id' | 'oid'>;

/** Sends objects on the data port. */
@Injectable()
export class ServeLfsObjects {
  constructor(
    private readonly dataPort: DataPort,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Served>('lfs-object', async (content, request, response) => {
      const shown = {
        contentType: 'application/octet-stream',
        filename: content.oid,
        isInline: false,
        version: content.oid,
      };
      await sendObject(storage, { key: keyOf(content), ...shown }, request, response);
    });
  }

  address({ _id, oid }: LfsContent): PresignedUrl {
    return this.dataPort.presign('lfs-object', { _id, oid });
  }
}
