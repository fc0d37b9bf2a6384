import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ContextOf,
  type CopiedFile,
  type CopiedFileContracts,
  commonErrors,
  type FileKind,
  geoErrors,
  type ParsedOf,
  type PresignedUrl,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { HandlesEach } from '@moothall/messaging';
import { ObjectMissing, ObjectStorage, requireKey, sendFile } from '@moothall/object-storage';
import { Controller, type Type } from '@nestjs/common';
import { checkedBytes } from './checked-bytes';
import { type FileSource, FileSources } from './file-source';
import { SharedFiles } from './shared-files';

type OperationOf<K extends keyof CopiedFileContracts> = CopiedFileContracts[K];
type Received = Pick<ParsedOf<OperationOf<'receive'>>, 'key' | 'size' | 'sha256'>;

const shown = { contentType: 'application/octet-stream', filename: 'file', isInline: false };

/**
 * The operations for the geo service in a service with files: on a primary the list of files, and their bytes; on a
 * secondary storing the bytes of copies under the same keys, reading and removing them. See
 * docs/api/geo-replication.md#6.
 */
export class CopiedFileOperations {
  constructor(
    private readonly sources: FileSources,
    private readonly shared: SharedFiles,
    private readonly dataPort: DataPort,
    private readonly storage: ObjectStorage,
  ) {
    dataPort.serve<{ key: string }>('copied-file', ({ key }, _request, response) => this.send(key, response));
    dataPort.serve<Received>('copy-of-file', (file, request, response) => this.keep(file, request, response));
  }

  async list(_: ContextOf<OperationOf<'list'>>, input: ParsedOf<OperationOf<'list'>>) {
    const { kind, id_after, id, newest, limit } = input;
    const source = this.sourceOf(kind);
    const found = async () => {
      if (id !== undefined) return [(await this.find(kind, id)) ?? []].flat();
      if (newest) return source.newest(limit);
      const above = id_after === undefined ? undefined : source.idOf(String(id_after));
      if (id_after !== undefined && above === undefined) throw commonErrors.badRequest();
      return source.above(above, limit);
    };
    return { files: await found(), in_object_storage: this.storage.isElsewhere };
  }

  private async find(kind: FileKind, id: CopiedFile['id']): Promise<CopiedFile | undefined> {
    const source = this.sourceOf(kind);
    const known = source.idOf(String(id));
    return known === undefined ? undefined : source.find(known);
  }

  async read(_: ContextOf<OperationOf<'read'>>, { kind, key }: ParsedOf<OperationOf<'read'>>): Promise<PresignedUrl> {
    this.requireKeyOf(kind, key);
    return this.dataPort.presign('copied-file', { key });
  }

  async receive(_: ContextOf<OperationOf<'receive'>>, input: ParsedOf<OperationOf<'receive'>>): Promise<PresignedUrl> {
    const { kind, key, size, sha256 } = input;
    await this.requireCopy(input);
    this.requireKeyOf(kind, key);
    return this.dataPort.presign('copy-of-file', { key, size, sha256 } satisfies Received);
  }

  async remove(_: ContextOf<OperationOf<'remove'>>, input: ParsedOf<OperationOf<'remove'>>): Promise<void> {
    await this.requireCopy(input);
    this.requireKeyOf(input.kind, input.key);
    await this.storage.remove(input.key);
  }

  private async send(key: string, response: ServerResponse): Promise<void> {
    const found = await this.storage.read(key).catch((error: unknown) => {
      throw error instanceof ObjectMissing ? geoErrors.fileMissing() : error;
    });
    await sendFile(found, shown, response);
  }

  private async keep({ key, size, sha256 }: Received, request: IncomingMessage, response: ServerResponse) {
    let received = { size: 0, sha256: '' };
    const bytes = checkedBytes(
      request.iterator({ destroyOnReturn: false }),
      { sha256, sizeBytes: size },
      {
        refusal: () => geoErrors.fileDiffers(),
        onEnd: (seen) => {
          received = seen;
        },
      },
    );
    await this.storage.write(key, bytes);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received));
  }

  /** A key of another kind is refused, whatever a primary sends. */
  private requireKeyOf(kind: FileKind, key: string): void {
    const isOfKind = key.startsWith(`${this.sourceOf(kind).prefix}/`);
    try {
      requireKey(key);
    } catch {
      throw geoErrors.fileDiffers();
    }
    if (!isOfKind) throw geoErrors.fileDiffers();
  }

  /** Local files are neither replaced nor removed. */
  private async requireCopy({ kind, id, key }: Pick<ParsedOf<OperationOf<'remove'>>, 'kind' | 'id' | 'key'>) {
    const own = await this.find(kind, id);
    if (own?.key === key || !(await this.shared.isOwn())) throw geoErrors.ownFile();
  }

  private sourceOf(kind: FileKind): FileSource {
    const source = this.sources.of(kind);
    if (!source) throw commonErrors.badRequest();
    return source;
  }
}

/** The controller of a service with files. Its module provides `FileSources`. */
export function copiedFilesOf(operations: CopiedFileContracts): Type {
  @Controller()
  @HandlesEach(operations)
  class CopiedFiles extends CopiedFileOperations {
    constructor(sources: FileSources, shared: SharedFiles, dataPort: DataPort, storage: ObjectStorage) {
      super(sources, shared, dataPort, storage);
    }
  }
  return CopiedFiles;
}
