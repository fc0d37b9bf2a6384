import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import { commonErrors } from '@moothall/contracts';
import { DataPort, OwnFolder, type UploadClaims, uploadHandler } from '@moothall/data-port';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Fields, nestFields } from '../parameters/nest-fields';
import { SpooledFile } from './spooled-file';

/**
 * Takes the files of multipart bodies: they are written to a temporary folder, services read them through tickets of
 * the gateway's own data port, and they are gone when the operation has answered.
 */
@Injectable()
export class UploadSpool implements OnApplicationShutdown {
  private readonly folder = new OwnFolder('uploads');

  constructor(private readonly dataPort: DataPort) {
    dataPort.serve<UploadClaims>(uploadHandler, async ({ id, sizeBytes }, _request, response) => {
      const file = createReadStream(path.join(await this.folder.path(), id));
      response.writeHead(200, { 'content-length': sizeBytes });
      await pipeline(file, response);
    });
  }

  /** Reads a multipart body. @returns its parameters, and what to do when the operation has answered */
  async take(request: FastifyRequest): Promise<{ fields: Fields; release: () => Promise<void> }> {
    const pairs: [string, unknown][] = [];
    const paths: string[] = [];
    const release = async () => {
      await Promise.all(paths.map((file) => rm(file, { force: true })));
    };
    try {
      for await (const part of request.parts()) {
        pairs.push([wireName(part.fieldname), part.type === 'file' ? await this.write(part, paths) : part.value]);
      }
    } catch (error) {
      await release();
      throw asRefusal(error);
    }
    return { fields: nestFields(pairs), release };
  }

  private async write(part: MultipartFile, paths: string[]): Promise<SpooledFile> {
    const id = randomUUID();
    const file = path.join(await this.folder.path(), id);
    paths.push(file);
    await pipeline(part.file, createWriteStream(file, { mode: 0o600 }));
    const { size: sizeBytes } = await stat(file);
    const contentType = part.mimetype || 'application/octet-stream';
    const { ticket } = this.dataPort.uploadedFile({ id, filename: part.filename, contentType, sizeBytes });
    return new SpooledFile(ticket);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.folder.remove();
  }
}

/** @gitbeaker/rest writes names into forms as its callers do: `parentId` for `parent_id`. No name on the wire has capitals. */
const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function asRefusal(error: unknown): unknown {
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return commonErrors.tooLarge();
  // What the disk says is our fault; whatever else stops the parser is a body that is none.
  return errno === undefined ? commonErrors.badRequest() : error;
}
