import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { commonErrors } from '@moothall/contracts';
import {
  type ByteRange,
  ObjectMissing,
  type ObjectSource,
  ObjectStorage,
  type OnBytes,
  readSource,
  requireKey,
} from './object-storage';

const full = new Set<string | undefined>(['ENOSPC', 'EDQUOT']);
/**
 * Most bytes of a large file that are read or buffered at a time; the default of Node takes eight times as many turns
 * of the event loop, and makes the source wait for the disk after each chunk.
 */
const mostAtOnce = 512 * 1024;
const highWaterMarkOf = (bytes: number): number => Math.min(Math.max(bytes, 1024), mostAtOnce);

/** A draft that still receives bytes stays young. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Objects as files below a folder. Unfinished ones are in a folder of drafts there, on the same file system. */
export class DiskStorage extends ObjectStorage {
  readonly isElsewhere = false;
  /** Keys do not begin with a dot. */
  private readonly drafts: string;

  constructor(
    private readonly folder: string,
    private readonly fsync = true,
  ) {
    super();
    this.drafts = path.join(folder, '.drafts');
  }

  async write(key: string, source: ObjectSource, onBytes?: OnBytes): Promise<{ sizeBytes: number }> {
    const file = this.fileOf(key);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await mkdir(this.drafts, { recursive: true, mode: 0o700 });
    const draft = path.join(this.drafts, `${draftPrefix(key)}${randomUUID()}`);
    try {
      await this.fill(draft, source, onBytes);
      const { size: sizeBytes } = await stat(draft);
      await rename(draft, file);
      // The name of a file is as durable as its folder.
      await this.sync(path.dirname(file));
      return { sizeBytes };
    } catch (error) {
      await rm(draft, { force: true });
      const { code } = error as NodeJS.ErrnoException;
      if (full.has(code)) throw commonErrors.diskFull();
      // The object was removed while it was written.
      throw code === 'ENOENT' ? commonErrors.unavailable() : error;
    }
  }

  async read(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number }> {
    const handle = await open(this.fileOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ObjectMissing(key) : error;
    });
    if (range) {
      const { start, end } = range;
      const sizeBytes = end - start;
      const stream = handle.createReadStream({ start, end: end - 1, highWaterMark: highWaterMarkOf(sizeBytes) });
      return { stream, sizeBytes };
    }
    const { size } = await handle.stat();
    return { stream: handle.createReadStream({ highWaterMark: highWaterMarkOf(size) }), sizeBytes: size };
  }

  async sizeOf(key: string): Promise<number> {
    const facts = await stat(this.fileOf(key)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new ObjectMissing(key) : error;
    });
    return facts.size;
  }

  async remove(key: string): Promise<void> {
    await rm(this.fileOf(key), { force: true });
    await this.removeDrafts((name) => name.startsWith(draftPrefix(key)));
  }

  async removeAll(prefix: string): Promise<void> {
    await rm(this.fileOf(prefix), { recursive: true, force: true });
  }

  async removeInterrupted(): Promise<void> {
    const deadline = Date.now() - abandonedAfterMs;
    await this.removeDrafts(async (name) => {
      const facts = await stat(path.join(this.drafts, name)).catch(() => undefined);
      return facts !== undefined && facts.mtimeMs < deadline;
    });
  }

  private async removeDrafts(isMeant: (name: string) => boolean | Promise<boolean>): Promise<void> {
    const names = await readdir(this.drafts).catch(() => []);
    for (const name of names) {
      if (await isMeant(name)) await rm(path.join(this.drafts, name), { force: true });
    }
  }

  /** A file that lies here already is not written once more. */
  private async fill(draft: string, source: ObjectSource, onBytes?: OnBytes): Promise<void> {
    if ('linkTo' in source && (await source.linkTo(draft))) {
      await Promise.all([this.sync(draft), onBytes && tellOf(draft, onBytes)]);
      return;
    }
    const options = { flags: 'wx', mode: 0o600, flush: this.fsync, highWaterMark: mostAtOnce };
    const file = createWriteStream(draft, options);
    const closed = new Promise<void>((resolve) => file.once('close', resolve));
    try {
      await pipeline(readSource(source, onBytes), file);
    } finally {
      // A pipeline that fails does not wait for the file, which may be created later.
      await closed;
    }
  }

  private async sync(fileOrFolder: string): Promise<void> {
    if (!this.fsync) return;
    const handle = await open(fileOrFolder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  private fileOf(key: string): string {
    requireKey(key);
    return path.join(this.folder, ...key.split('/'));
  }
}

async function tellOf(file: string, onBytes: OnBytes): Promise<void> {
  for await (const chunk of createReadStream(file, { highWaterMark: mostAtOnce })) onBytes(chunk);
}

/** Drafts of a key are found by its hash, whatever its length. */
const draftPrefix = (key: string): string => `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.`;
