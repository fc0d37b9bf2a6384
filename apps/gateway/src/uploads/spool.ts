import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import { commonErrors, type UploadedFile } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Fields, nestFields } from '../parameters/nest-fields';

interface SpooledFile {
  path: string;
  contentType: string;
}

/**
 * Takes the files of multipart bodies: they are written to a temporary folder, services read them through tickets of
 * the gateway's own data port, and they are gone when the operation has answered.
 */
@Injectable()
export class UploadSpool implements OnApplicationBootstrap, OnApplicationShutdown {
  private folder?: Promise<string>;

  constructor(private readonly dataPort: DataPort) {
    dataPort.serve<SpooledFile>('upload', async (file, _request, response) => {
      const { size } = await stat(file.path);
      response.writeHead(200, { 'content-type': file.contentType, 'content-length': size });
      await pipeline(createReadStream(file.path), response);
    });
  }

  /** What a killed gateway had taken is nobody's any more. */
  async onApplicationBootstrap(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      const pid = Number(folderName.exec(name)?.[1]);
      if (pid && !isAlive(pid)) await rm(path.join(tmpdir(), name), { recursive: true, force: true });
    }
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

  private async write(part: MultipartFile, paths: string[]): Promise<UploadedFile> {
    this.folder ??= mkdtemp(path.join(tmpdir(), `moothall-uploads-${process.pid}-`));
    const file = path.join(await this.folder, randomUUID());
    paths.push(file);
    await pipeline(part.file, createWriteStream(file, { mode: 0o600 }));
    const { size } = await stat(file);
    const contentType = part.mimetype || 'application/octet-stream';
    const { url } = this.dataPort.ticket('upload', { path: file, contentType } satisfies SpooledFile);
    return { url, filename: part.filename, contentType, sizeBytes: size };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
  }
}

const folderName = /^moothall-uploads-(\d+)-/;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
