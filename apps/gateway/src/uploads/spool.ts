import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FileLimit } from '@moothall/contracts';
import { DataPort, type UploadClaims, uploadHandler } from '@moothall/data-port';
import { unattended } from '@moothall/logging';
import { OwnFolder, removeAbandonedFolders } from '@moothall/processes';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { SpooledFile } from './spooled-file';

/**
 * Stores the files of multipart bodies in a temporary folder: services read them from there, or through signed URLs of
 * the gateway's own data port. They are deleted when the operation has answered.
 */
@Injectable()
export class UploadSpool implements OnModuleInit, OnApplicationShutdown {
  private readonly folder: OwnFolder;

  constructor(
    private readonly dataPort: DataPort,
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
  ) {
    this.folder = new OwnFolder('uploads', settings.UPLOAD_DIR);
    dataPort.serve<UploadClaims>(uploadHandler, async ({ id, sizeBytes }, _request, response) => {
      const file = createReadStream(path.join(this.folder.path(), id));
      response.writeHead(200, { 'content-length': sizeBytes });
      await pipeline(file, response);
    });
  }

  async onModuleInit(): Promise<void> {
    await removeAbandonedFolders(this.settings.UPLOAD_DIR);
  }

  /** The files of one request, initially none. */
  begin(): SpooledFiles {
    return new SpooledFiles(this.folder, this.dataPort);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.folder.remove();
  }
}

/** A file of a client, with the metadata that it sends. */
type Sent = Pick<MultipartFile, 'filename' | 'mimetype'> & { file: AsyncIterable<Buffer> };

/** Buffer for slow disks; with Node's default the client would wait after each chunk. */
const heldBytes = 512 * 1024;

// Longer names would not fit where the file is fetched.
const longestFilename = 255;

export class SpooledFiles {
  private readonly files: { file: string; stream: WriteStream }[] = [];
  private isInUse = false;

  constructor(
    private readonly folder: OwnFolder,
    private readonly dataPort: DataPort,
  ) {}

  /** @throws the error of the limit for a larger file */
  async write(part: Sent, limit: FileLimit<number>): Promise<SpooledFile> {
    const id = randomUUID();
    const file = path.join(this.folder.path(), id);
    const stream = createWriteStream(file, { mode: 0o600, highWaterMark: heldBytes });
    this.files.push({ file, stream });
    let sizeBytes = 0;
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length;
        if (sizeBytes > limit.bytes) throw limit.tooLarge(limit.bytes);
        yield chunk;
      }
    };
    await pipeline(part.file, counted, stream);
    const contentType = part.mimetype || 'application/octet-stream';
    const filename = part.filename.slice(-longestFilename);
    return new SpooledFile(this.dataPort.uploadedFile({ id, path: file, filename, contentType, sizeBytes }).ticket);
  }

  /** Calls an operation with them, and releases them when it has answered. */
  async use(call: () => Promise<void>): Promise<void> {
    this.isInUse = true;
    try {
      await call();
    } finally {
      await this.release();
    }
  }

  /** The client disconnected, or was refused. */
  abandon(): void {
    if (!this.isInUse) unattended('files of a client', this.release());
  }

  async release(): Promise<void> {
    await Promise.all(
      this.files.splice(0).map(async ({ file, stream }) => {
        // A stream that is still opening its file would create it after the removal.
        await close(stream);
        await rm(file, { force: true });
      }),
    );
  }
}

const close = (stream: WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.once('close', resolve).destroy();
  });
