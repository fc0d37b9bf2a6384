import type { PresignedUrl } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { ObjectStorage, sendFile, sendObject } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { keyOf } from './artifact.repository';
import type { Artifact } from './artifact.schema';
import { type ArchiveFolder, listFolder } from './list-folder';
import { openFile } from './open-file';

type Served = Pick<Artifact, '_id' | 'projectId' | 'filename' | 'sizeBytes'>;

/** Sends artifacts by the data port: as they are stored, or one file out of them. */
@Injectable()
export class ServeArtifacts {
  constructor(
    private readonly dataPort: DataPort,
    private readonly storage: ObjectStorage,
  ) {
    dataPort.serve<Served>('artifact', async ({ filename, ...artifact }, request, response) => {
      const stored = { key: keyOf(artifact), version: String(artifact._id) };
      const shown = { ...stored, contentType: 'application/zip', filename, isInline: false };
      await sendObject(storage, shown, request, response);
    });
    dataPort.serve<Served & { path: string }>('artifact-file', async ({ path, ...artifact }, _request, response) => {
      const opened = await openFile(storage, { key: keyOf(artifact), sizeBytes: artifact.sizeBytes }, path);
      const filename = path.split('/').at(-1) ?? 'file';
      await sendFile(opened, { contentType: 'application/octet-stream', filename, isInline: false }, response);
    });
  }

  archive(artifact: Artifact): PresignedUrl {
    return this.dataPort.presign('artifact', servedOf(artifact));
  }

  file(artifact: Artifact, path: string): PresignedUrl {
    return this.dataPort.presign('artifact-file', { ...servedOf(artifact), path });
  }

  /** @throws artifact.not_found if there is no such folder */
  list(artifact: Artifact, folder: string): Promise<ArchiveFolder> {
    return listFolder(this.storage, { key: keyOf(artifact), sizeBytes: artifact.sizeBytes }, folder);
  }
}

const servedOf = ({ _id, projectId, filename, sizeBytes }: Artifact): Served => ({
  _id,
  projectId,
  filename,
  sizeBytes,
});
