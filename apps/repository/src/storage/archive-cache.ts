import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Logger } from '@nestjs/common';

/** A cached archive, already open: it can be read to its end even if it is evicted meanwhile. */
export interface CachedArchive {
  sizeBytes: number;
  stream: Readable;
}

/** Archives on disk by their content, up to a size limit; the least recently used are evicted. */
export class ArchiveCache {
  private readonly log = new Logger(ArchiveCache.name);

  constructor(
    private readonly folder: string,
    /** 0 disables the cache. */
    private readonly maxBytes: number,
  ) {}

  /** Removes incomplete files of a killed process. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o750 });
    const halves = (await readdir(this.folder)).filter((name) => name.endsWith('.part'));
    await Promise.all(halves.map((name) => rm(path.join(this.folder, name), { force: true })));
  }

  /** @param parts that determine the bytes: repository, commit, names, format */
  async find(parts: readonly string[]): Promise<CachedArchive | null> {
    const file = this.fileOf(parts);
    const handle = await open(file).catch(() => null);
    if (!handle) return null;
    const { size } = await handle.stat();
    await utimes(file, new Date(), new Date()).catch(() => undefined);
    return { sizeBytes: size, stream: createReadStream('', { fd: handle, highWaterMark: 1 << 18 }) };
  }

  /**
   * Passes an archive through, and caches it once it is complete. If the disk is full, only the cached copy is lost.
   */
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
    // Handled when the stream closes.
    archive.on('error', () => undefined);
    archive.once('end', () => {
      file.end();
      // The client's stream ends after the copy is stored: the next caller finds it.
      stored
        .then(() => (isBroken ? rm(part, { force: true }) : this.place(part, this.fileOf(parts))))
        // The archive is complete even without its copy.
        .catch((error: unknown) => this.log.warn(`an archive could not be cached: ${error}`))
        .finally(() => passing.end());
    });
    archive.once('close', () => {
      if (archive.readableEnded) return;
      isBroken = true;
      file.destroy();
      // After the stream has closed: a stream that is still opening its file would create it after the removal.
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
