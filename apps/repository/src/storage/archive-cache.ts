import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Logger } from '@nestjs/common';

/** A kept archive, open already: it can be read to its end even when it is thrown out meanwhile. */
export interface CachedArchive {
  sizeBytes: number;
  stream: Readable;
}

/** Archives on disk by what is in them, up to a bound; those not asked for longest go first. */
export class ArchiveCache {
  private readonly log = new Logger(ArchiveCache.name);

  constructor(
    private readonly folder: string,
    /** 0 keeps nothing. */
    private readonly maxBytes: number,
  ) {}

  /** Removes what a killed process was still writing. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o750 });
    const halves = (await readdir(this.folder)).filter((name) => name.endsWith('.part'));
    await Promise.all(halves.map((name) => rm(path.join(this.folder, name), { force: true })));
  }

  /** @param parts what makes the bytes what they are: repository, commit, names, format */
  async find(parts: readonly string[]): Promise<CachedArchive | null> {
    const file = this.fileOf(parts);
    const handle = await open(file).catch(() => null);
    if (!handle) return null;
    const { size } = await handle.stat();
    await utimes(file, new Date(), new Date()).catch(() => undefined);
    return { sizeBytes: size, stream: createReadStream('', { fd: handle, highWaterMark: 1 << 18 }) };
  }

  /** Lets an archive pass, and keeps it once it is whole. A full disk costs the copy, not the archive. */
  keep(parts: readonly string[], archive: Readable): Readable {
    if (this.maxBytes === 0) return archive;
    const part = path.join(this.folder, `${randomUUID()}.part`);
    const file = createWriteStream(part, { mode: 0o640 });
    const passing = new PassThrough({ highWaterMark: 1 << 18 });
    let isBroken = false;
    const stored = finished(file).catch(() => {
      isBroken = true;
    });
    archive.on('data', (chunk: Buffer) => {
      if (!isBroken) file.write(chunk);
      if (!passing.write(chunk)) archive.pause();
    });
    passing.on('drain', () => archive.resume());
    // What is to be done then is done when it closes.
    archive.on('error', () => undefined);
    archive.once('end', () => {
      file.end();
      // The client's stream ends after the copy is stored: the next caller finds it.
      stored
        .then(() => (isBroken ? rm(part, { force: true }) : this.place(part, this.fileOf(parts))))
        // Without its copy it is an archive all the same.
        .catch((error: unknown) => this.log.warn(`an archive could not be cached: ${error}`))
        .finally(() => passing.end());
    });
    archive.once('close', () => {
      if (archive.readableEnded) return;
      isBroken = true;
      file.destroy();
      // After the stream has closed: one that is still opening its file would create it after the removal.
      stored
        .then(() => rm(part, { force: true }))
        .catch((error: unknown) => this.log.warn(`${part} could not be deleted: ${error}`));
      passing.destroy(archive.errored ?? undefined);
    });
    passing.once('close', () => archive.destroy());
    return passing;
  }

  private async place(part: string, file: string): Promise<void> {
    const { size } = await stat(part);
    if (size > this.maxBytes) return rm(part, { force: true });
    await rename(part, file);
    await this.shrink();
  }

  private async shrink(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => !name.endsWith('.part'));
    const kept = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.folder, name);
        const info = await stat(file).catch(() => null);
        return { file, size: info?.size ?? 0, usedAt: info?.mtimeMs ?? 0 };
      }),
    );
    let total = kept.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of kept.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= this.maxBytes) return;
      await rm(file, { force: true });
      total -= size;
    }
  }

  private fileOf(parts: readonly string[]): string {
    return path.join(this.folder, createHash('sha256').update(parts.join('\0')).digest('hex'));
  }
}
